import { expect, test } from "vitest";
import { defined } from "#server/defined.ts";
import { startApi } from "#server/testing/api.ts";

const api = await startApi();
const FLOOD = 200;
const CALLS = 15;

test("answers a call beside a flood of another account before most of those that came first", async () => {
  const [{ key: busy }, { key: neighbour }] = [await api.createRootKey(), await api.createRootKey()];
  const list = (key: string) => api.send("GET", "/v1/projects", { key });
  let ended = 0;
  let stopped = false;
  const flood = Array.from({ length: FLOOD }, async () => {
    while (!stopped) {
      expect((await list(busy)).status).toBe(200);
      ended += 1;
    }
  });
  await expect.poll(() => ended).toBeGreaterThan(2 * FLOOD);
  const before: number[] = [];
  for (let nth = 0; nth < CALLS; nth++) {
    const already = ended;
    expect((await list(neighbour)).status).toBe(200);
    before.push(ended - already);
  }
  stopped = true;
  await Promise.all(flood);
  const median = defined(before.toSorted((a, b) => a - b)[Math.floor(CALLS / 2)]);
  expect(median).toBeLessThan(FLOOD / 4);
});
