import { expect, test } from "vitest";
import { createPace } from "./pace.ts";

test("logs a fault once, then after a minute, two, four, and of another at once", () => {
  let minutes = 0;
  const pace = createPace({ now: () => minutes * 60_000 });
  const logged: string[] = [];
  for (; minutes <= 10; minutes++) {
    if (pace("underpriced")) logged.push(`underpriced at ${minutes}`);
    if (minutes >= 5 && pace("nonce")) logged.push(`nonce at ${minutes}`);
  }
  expect(logged).toEqual([
    "underpriced at 0",
    "underpriced at 1",
    "underpriced at 3",
    "nonce at 5",
    "nonce at 6",
    "underpriced at 7",
    "nonce at 8",
  ]);
});
