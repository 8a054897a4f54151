import { and, eq } from "drizzle-orm";
import { runs, runTimeline } from "#db/schema/runs.ts";
import { defined } from "#server/base/defined.ts";
import type { Area } from "../area.ts";
import type { ServicePeer } from "./service-peer.ts";

const CREDITS = 1_000_000;
const PLACES = 3;
const AT_ONCE = 6;
const ENDED = ["succeeded", "failed", "cancelled", "expired"];

/** A key with limits on concurrent calls and runs exceeds them; never more than allowed run at once. */
export const places = (peer: ServicePeer): Area => ({
  name: "places",
  weight: 1,
  async start({ client, installation, createAccount, marker }) {
    const { db } = installation.database;
    const { accountId, key: root } = await createAccount(CREDITS);
    const { secret: key } = await client.must({
      method: "POST",
      path: "/v1/api-keys",
      key: root,
      headers: { "idempotency-key": marker("places") },
      body: {
        label: "Places",
        scopes: ["services:invoke", "runs:write"],
        limits: { "services.invoke": { maxConcurrent: PLACES }, "runs.create": { maxConcurrent: PLACES } },
      },
    });
    const runsOf = () => db.select().from(runs).where(eq(runs.accountId, accountId));

    return {
      async call(random) {
        const isRun = random.chance(0.5);
        await Promise.all(
          Array.from({ length: AT_ONCE }, () => {
            const name = marker("place");
            if (!isRun) {
              const body = { operationId: "count", input: { text: `${name} slowly` } };
              return client.write(random, name, {
                method: "POST",
                path: "/v1/services/example-desk/invoke",
                key,
                body,
              });
            }
            const workflow = { name, steps: [{ id: "wait", type: "wait", seconds: 1 }] };
            const body = { serviceId: "managed-workflows", operationId: "execute", input: { workflow } };
            return client.write(random, name, { method: "POST", path: "/v1/runs", key, body });
          }),
        );
      },

      async pending() {
        const live = (await runsOf()).filter(({ status }) => !ENDED.includes(status));
        return live.length === 0 ? null : `${live.length} runs of the limited key have not ended.`;
      },

      async check() {
        const ends = new Map((await runsOf()).map(({ id, finishedAt }) => [id, Number(finishedAt)]));
        const first = await db
          .select({ id: runTimeline.runId, at: runTimeline.at })
          .from(runTimeline)
          .where(and(eq(runTimeline.accountId, accountId), eq(runTimeline.seq, 1)));
        const lives = first.map(({ id, at }) => ({ from: Number(at), to: defined(ends.get(id)) }));
        const beside = (one: { from: number }) =>
          lives.filter(({ from, to }) => from <= one.from && to > one.from).length;
        const live = Math.max(0, ...lives.map(beside));
        // Calls that were running when the database lost its memory no longer count, and end a moment later.
        const called = peer.mostAtOnce("place");
        return [
          ...(live <= PLACES ? [] : [`${live} runs lived at a time, of ${PLACES}.`]),
          ...(called <= 2 * PLACES ? [] : [`${called} calls were under way at a time, of ${PLACES}.`]),
        ];
      },
    };
  },
});
