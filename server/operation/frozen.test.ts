import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { defined } from "#server/base/defined.ts";
import { type Answered, startApi } from "#server/testing/api.ts";
import { startTestCluster } from "#server/testing/cluster.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { type LoadCall, startLoad } from "#server/testing/load.ts";
import { mapConcurrently } from "#server/testing/map-concurrently.ts";
import { startNetwork } from "#server/testing/network.ts";
import { untilAnswered } from "#server/testing/until-answered.ts";

const cluster = await startTestCluster();
const network = await startNetwork(() => cluster.url);
const api = await startApi({ database: { url: network.url(), drop: cluster.drop } });

test.each([
  ["processes are stopped", cluster.freeze, cluster.thaw, 30_000],
  ["packets are swallowed", network.cut, network.restore, 10_000],
])(
  "answers within five seconds while the database's %s, and everything five seconds after it is back",
  async (_, silence, end, silentMs) => {
    const { key } = await createPayingKey(api, 10_000);
    const { key: narrow } = await api.createRootKey({ limits: { "projects.list": { maxConcurrent: 2 } } });
    const { balance: before } = (await api.send("GET", "/v1/credits/balance", { key })).body;
    const calls: Record<string, (idempotencyKey: string) => Promise<Answered>> = {
      list: () => api.send("GET", "/v1/projects", { key }),
      narrow: () => api.send("GET", "/v1/projects", { key: narrow }),
      create: (idempotencyKey) =>
        api.send("POST", "/v1/projects", { key, idempotencyKey, body: { name: idempotencyKey } }),
      put: (idempotencyKey) =>
        api.send("POST", "/v1/services/managed-memory/invoke", {
          key,
          idempotencyKey,
          body: { operationId: "put", input: { name: idempotencyKey, content: "x" } },
        }),
    };
    const kinds = ["list", "list", "list", "narrow", "create", "create", "create", "put", "put", "put"];
    const load = startLoad(calls, { kinds });
    const { sent } = load;
    await load.untilAnswered();
    silence();
    await sleep(silentMs);
    end();
    const back = performance.now();
    await load.untilAnswered(back + 6000);
    await load.stop();

    const failed = sent.filter(({ answer }) => answer.status >= 400);
    const summary = (each: LoadCall<Answered>) =>
      [each.kind, each.answer.status, each.answer.body.error?.code].join(" ");
    expect(failed.length).toBeGreaterThan(10);
    expect(
      [...new Set(failed.map(summary))].filter((each) => !each.endsWith(" 503 service_unavailable")),
    ).toEqual([]);
    expect(
      failed.filter(({ answer }) => !["not_started", "unknown"].includes(answer.body.error.operationState)),
    ).toEqual([]);
    expect(Math.max(...sent.map(({ took }) => took))).toBeLessThan(5000);
    expect(failed.filter(({ began }) => began > back + 5000).map(summary)).toEqual([]);

    // A repeat executes each refused or uncertain call once.
    const writes = sent.filter(({ kind }) => kind === "create" || kind === "put");
    const refused = writes.filter(({ answer }) => answer.status >= 400);
    const repeated = await mapConcurrently(refused, kinds.length, ({ kind, idempotencyKey }) =>
      untilAnswered(() => defined(calls[kind])(idempotencyKey)),
    );
    expect([...new Set(repeated.map(({ body }) => body.error?.code ?? "done"))]).toEqual(["done"]);
    const names = (kind: string) => writes.filter((each) => each.kind === kind).length;
    const projects = await everything("/v1/projects", "projects", key);
    expect(projects).toBe(names("create"));
    const { balance: after } = (await api.send("GET", "/v1/credits/balance", { key })).body;
    expect(before.availableCredits - after.availableCredits).toBe(names("put"));
  },
);

async function everything(path: string, field: string, key: string): Promise<number> {
  let count = 0;
  for (let cursor: string | null = ""; cursor !== null; ) {
    const { body } = await api.send("GET", `${path}?limit=100${cursor && `&cursor=${cursor}`}`, { key });
    count += body[field].length;
    cursor = body.nextCursor;
  }
  return count;
}
