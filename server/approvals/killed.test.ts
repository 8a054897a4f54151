import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { uuidOf } from "#server/base/ids.ts";
import { startApi, unique } from "#server/testing/api.ts";
import { createPayingKey, invokeMemory } from "#server/testing/credits.ts";
import { createTestDatabase } from "#server/testing/database.ts";
import { mapConcurrently } from "#server/testing/map-concurrently.ts";
import { startServer } from "#server/testing/server-process.ts";

const database = await createTestDatabase();
const api = await startApi({ database });
const { db } = api.platform.database;

const ACTIONS = 20;
const SERVICE = { serviceId: "managed-memory", operationId: "delete" };

// biome-ignore lint/suspicious/noExplicitAny: the test looks into it.
type Body = any;

/** Requests, decides and deletes on the server at this address, each call under its own idempotency key. */
async function act(origin: string, key: string, name: string, answered: (step: string) => void) {
  async function send(step: string, path: string, sent: unknown): Promise<{ status: number; body: Body }> {
    const answer = await fetch(`${origin}/v1${path}`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${key}`,
        "idempotency-key": `${step}-${name}`,
        "content-type": "application/json",
      },
      body: JSON.stringify(sent),
    });
    answered(step);
    const body = await answer.json();
    // A busy machine may refuse for a moment: retryable refusals are repeated.
    return body.error?.retryable ? send(step, path, sent) : { status: answer.status, body };
  }
  const asked = await send("asked", "/approvals/service-actions", { ...SERVICE, input: { name } });
  const { id, payloadHash } = asked.body.approval;
  const decided = await send("decided", `/approvals/${id}`, { decision: "approve", payloadHash });
  const done = await send("done", "/services/managed-memory/invoke", {
    operationId: "delete",
    input: { name },
    approvalId: id,
  });
  return [asked.status, decided.status, done.status];
}

test.each(["asked", "decided", "done"])(
  "does each approved action once, and uses its approval once, when the server is killed among actions that are %s",
  async (boundary) => {
    const { key, accountId } = await createPayingKey(api, 2 * ACTIONS);
    const names = Array.from({ length: ACTIONS }, () => unique("memory"));
    await Promise.all(names.map((name) => invokeMemory(api, key, "put", { name, content: "a" })));
    const { origin, child, untilGone } = await startServer(database.url);
    let reached = 0;
    const countdown = (step: string) => {
      if (step === boundary) reached += 1;
      if (reached === 7) child.kill("SIGKILL");
    };
    const first = await mapConcurrently(names, 8, (name) =>
      act(origin, key, name, countdown).catch(() => null),
    );
    expect(first).toContain(null);

    await untilGone();
    // Repeated at another process with the same idempotency keys.
    const again = await Promise.all(names.map((name) => act(api.origin, key, name, () => undefined)));
    expect(again).toEqual(names.map(() => [201, 200, 200]));
    const account = uuidOf("account", accountId);
    const [found] = await db.execute(sql`select
      (select count(*)::int from memories where account_id = ${account}) as memories,
      (select count(*)::int from approvals where account_id = ${account}) as approvals,
      (select count(*)::int from approvals where account_id = ${account} and status = 'consumed') as consumed,
      (select count(*)::int from approval_decisions where account_id = ${account}) as decisions`);
    expect(found).toEqual({
      memories: 0,
      approvals: ACTIONS,
      consumed: ACTIONS,
      decisions: ACTIONS,
    });
  },
);
