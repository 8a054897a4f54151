import { expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";

const api = await startApi();
const post = (body: Uint8Array<ArrayBuffer> | string) =>
  fetch(`${api.direct}/inspect`, { method: "POST", body });

test("accepts delivered bodies, and buffers none that is larger than a delivery", async () => {
  const taken = await post("{}");
  expect([taken.status, await taken.text()]).toEqual([
    200,
    "Received. Look into it at the webhook's deliveries.\n",
  ]);
  expect((await fetch(`${api.direct}/inspect`)).status).toBe(405);
  expect((await post(new Uint8Array(1_048_577))).status).toBe(413);
});
