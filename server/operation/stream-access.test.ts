import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { ApiError } from "#server/operation/errors.ts";
import { operation } from "#server/operation/operation.ts";
import { StreamResult } from "#server/operation/stream-result.ts";
import { startApi } from "#server/testing/api.ts";
import { openStream } from "#server/testing/streams.ts";

let isRevoked = false;
let judged = 0;
let goOn = Promise.withResolvers<void>();

/** Decides by the rows read at its start, and answers when the test lets it. */
async function judge(): Promise<void> {
  const wasRevoked = isRevoked;
  judged += 1;
  await goOn.promise;
  if (wasRevoked) throw new ApiError("api_key_revoked", "The key was revoked.");
}

const follow = operation({
  id: "tests.follow",
  method: "GET",
  path: "/tests/follow",
  summary: "Follow nothing",
  scope: "projects:read",
  output: z.object({}),
  stream: { description: "Nothing.", id: { description: "None.", example: "none" }, events: {} },
  surfaces: ["api"],
  async handler({ caller }) {
    const never = (signal: AbortSignal) =>
      (async function* () {
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        yield [];
      })();
    return new StreamResult(caller.accountId, never, { judge });
  },
});

// No heartbeat judges the caller during the test.
const api = await startApi({ extra: [follow], settings: { streams: { heartbeatMs: 3_600_000 } } });

test("ends a stream whose caller's access has changed while the caller was being judged", async () => {
  const { key, accountId } = await api.createRootKey();
  let changes = 0;
  onTestFinished(
    api.platform.changes.subscribe([accountId], (change) => {
      if (change === "apiKeys") changes += 1;
    }),
  );
  const stream = await openStream(`${api.origin}/v1/tests/follow`, { key });
  await api.createChild(key);
  await expect.poll(() => judged).toBe(1);
  isRevoked = true;
  const before = changes;
  await api.createChild(key);
  await expect.poll(() => changes).toBeGreaterThan(before);
  goOn.resolve();
  goOn = Promise.withResolvers();
  goOn.resolve();
  expect(await stream.take()).toMatchObject([
    { event: "error", data: { error: { code: "api_key_revoked" } } },
  ]);
});
