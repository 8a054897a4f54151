import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { type Answered, startApi, unique } from "#server/testing/api.ts";
import { startTestCluster } from "#server/testing/cluster.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { startNetwork } from "#server/testing/network.ts";

const cluster = await startTestCluster();
const network = await startNetwork(() => cluster.url);
const api = await startApi({ database: { url: network.url(), drop: cluster.drop } });

interface Sent {
  kind: string;
  idempotencyKey: string | null;
  began: number;
  took: number;
  answer: Answered;
}

async function timed(
  kind: string,
  idempotencyKey: string | null,
  call: () => Promise<Answered>,
): Promise<Sent> {
  const began = performance.now();
  const answer = await call();
  return { kind, idempotencyKey, began, took: performance.now() - began, answer };
}

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
    const sent: Sent[] = [];
    let going = true;
    async function load(kind: string) {
      const call = calls[kind] as (idempotencyKey: string) => Promise<Answered>;
      while (going) {
        const idempotencyKey = unique(kind);
        sent.push(await timed(kind, idempotencyKey, () => call(idempotencyKey)));
        await sleep(20);
      }
    }
    const kinds = ["list", "list", "list", "narrow", "create", "create", "create", "put", "put", "put"];
    const loads = kinds.map(load);
    await sleep(1000);
    silence();
    await sleep(silentMs);
    end();
    const back = performance.now();
    await sleep(8000);
    going = false;
    await Promise.all(loads);

    const failed = sent.filter(({ answer }) => answer.status >= 400);
    const told = (each: Sent) => [each.kind, each.answer.status, each.answer.body.error?.code].join(" ");
    expect(failed.length).toBeGreaterThan(10);
    expect(
      [...new Set(failed.map(told))].filter((each) => !each.endsWith(" 503 service_unavailable")),
    ).toEqual([]);
    expect(
      failed.filter(({ answer }) => !["not_started", "unknown"].includes(answer.body.error.operationState)),
    ).toEqual([]);
    expect(Math.max(...sent.map(({ took }) => took))).toBeLessThan(5000);
    expect(failed.filter(({ began }) => began > back + 5000).map(told)).toEqual([]);

    // What was refused or left in doubt is done by its repeat, once.
    const writes = sent.filter(({ kind }) => kind === "create" || kind === "put");
    const repeated = await Promise.all(
      writes
        .filter(({ answer }) => answer.status >= 400)
        .map(({ kind, idempotencyKey }) => calls[kind]?.(idempotencyKey as string)),
    );
    expect([...new Set(repeated.map((answer) => answer?.body.error?.code ?? "done"))]).toEqual(["done"]);
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
