import { setTimeout as sleep } from "node:timers/promises";
import { and, eq, isNull } from "drizzle-orm";
import { runSlots } from "#db/schema/concurrency.ts";
import { memories } from "#db/schema/memory.ts";
import { runs, runTags, runTimeline } from "#db/schema/runs.ts";
import type { Random } from "#server/testing/random.ts";
import type { Area } from "../area.ts";
import type { Call, Client } from "../client.ts";
import {
  checkBatches,
  checkBursts,
  checkEffects,
  checkPosts,
  checkRooms,
  checkSingles,
  checkSlots,
  checkTags,
} from "./flow-checks.ts";
import { startFlowPeer } from "./flow-peer.ts";

const CREDITS = 1_000_000;
const ENDED = ["succeeded", "failed", "cancelled", "expired"];
/** The maximum of concurrent runs for each key. */
const LIMITS = new Map(["a", "b", "c", "d"].flatMap((of) => [1, 2, 3].map((most) => [`${of}${most}`, most])));
/** Beyond this number of running runs and calls in doubt, it starts no more, so that they end in time. */
const MAX_LIVE = 60;
const MAX_IN_DOUBT = 300;
const QUIET_SECONDS = 1;

/** Runs are limited, debounced, created in batches and called back: each counts once, and none waits forever. */
export const flow: Area = {
  name: "flow",
  weight: 1,
  async start({ client, installation, createAccount, marker }) {
    const { db } = installation.database;
    const { accountId, key } = await createAccount(CREDITS);
    const peer = await startFlowPeer(installation.webs);
    const inbound = await prepare(client, key, peer.host);
    const singles: Call[] = [];
    const bursts: Call[] = [];
    const batches: Call[] = [];
    const cancelled = new Set<string>();
    let live = 0;
    const isCrowded = () =>
      live > MAX_LIVE ||
      [...singles, ...bursts, ...batches].filter(({ outcome }) => outcome === "unknown").length >
        MAX_IN_DOUBT;
    const counted = setInterval(async () => {
      live = await liveRuns().catch(() => live);
    }, 500).unref();

    const runsOf = () => db.select().from(runs).where(eq(runs.accountId, accountId));
    const liveRuns = () => db.$count(runs, and(eq(runs.accountId, accountId), isNull(runs.finishedAt)));
    const post = (path: string, body: object) => ({ method: "POST" as const, path, key, body });
    const remember = (name: string) => ({
      serviceId: "managed-memory",
      operationId: "put",
      input: { content: name },
    });
    const workflow = (name: string, steps: object[]) => ({
      serviceId: "managed-workflows",
      operationId: "execute",
      input: { workflow: { name, steps: [...steps, act(name)] } },
    });
    const act = (name: string) => ({
      id: "act",
      type: "invoke",
      serviceId: "managed-memory",
      operationId: "put",
      input: { content: name },
    });
    const work = (id: string, name: string) => ({
      id,
      type: "http",
      connectionId: inbound.connectionId,
      method: "PUT",
      url: `${peer.origin}/${id}`,
      body: { marker: name },
      timeoutSeconds: 120,
    });
    const handOver = (name: string) => ({
      ...work("hand", name),
      body: { marker: name, address: "{% callback.url %}" },
      callback: { timeoutSeconds: 86_400 },
      retry: { maxAttempts: 5, backoffSeconds: 1, factor: 1, on: ["service_unavailable", "service_timeout"] },
    });

    /** Returns a workflow that lasts long enough for other runs to arrive. */
    function task(random: Random, name: string) {
      const what = random.fraction();
      if (what < 0.3) return remember(name);
      if (what < 0.6) return workflow(name, [work("work", name)]);
      if (what < 0.8) {
        const wait = { id: "wait", type: "wait", seconds: 1 };
        return workflow(name, [work("work", name), wait, work("again", name)]);
      }
      return workflow(name, [handOver(name), work("work", name)]);
    }

    /** Returns the concurrency keys, priority and tags of a run. */
    function manner(random: Random, name: string) {
      const keys = [...LIMITS.keys()];
      const chosen = new Set(Array.from({ length: random.between(0, 3) }, () => random.pick(keys)));
      const concurrency = [...chosen].map((of) => ({
        key: of,
        limit: LIMITS.get(of),
        hold: random.pick(["running", "live"]),
      }));
      const startAt = new Date(Date.now() + random.between(0, 3000)).toISOString();
      return {
        concurrency,
        priority: random.between(-10, 10),
        tags: [name, random.pick(["red", "green"])],
        ...(random.chance(0.1) && { startAt }),
      };
    }

    async function single(random: Random) {
      const name = marker("flow");
      const body = { ...task(random, name), ...manner(random, name) };
      singles.push(await client.write(random, name, post("/v1/runs", body)));
    }

    /** Makes calls in quick succession, from one caller or two. */
    async function burst(random: Random) {
      const of = marker("burst");
      const debounce = { key: of, seconds: QUIET_SECONDS };
      const flows = random.chance(0.3) ? 2 : 1;
      const streams = Array.from({ length: flows }, async () => {
        for (let left = random.between(1, 4); left > 0; left--) {
          const name = marker("call");
          const { concurrency, priority, tags } = manner(random, name);
          const body = { ...remember(name), concurrency, priority, tags, debounce };
          bursts.push(await client.write(random, name, post("/v1/runs", body)));
          // Some calls arrive just when the run is to start.
          if (random.chance(0.4)) await sleep(random.between(0, 2000 * QUIET_SECONDS));
        }
      });
      await Promise.all(streams);
    }

    async function batch(random: Random) {
      const name = marker("batch");
      const items = Array.from({ length: random.between(2, 8) }, (_, nth) => ({
        ...task(random, `${name}.${nth}`),
        ...manner(random, `${name}.${nth}`),
      }));
      batches.push(await client.write(random, name, post("/v1/runs/batch", { items })));
    }

    async function cancel(random: Random) {
      const known = singles.filter(({ outcome }) => outcome === "answered");
      if (known.length === 0) return;
      const { id } = random.pick(known.slice(-20)).answer.run;
      cancelled.add(id);
      await client.write(random, marker("cancel"), post(`/v1/runs/${id}/cancel`, {}));
    }

    return {
      async call(random) {
        const what = random.fraction();
        const tag = random.pick(["red", "green"]);
        if (isCrowded() || what < 0.2) {
          const path = `/v1/runs?tag=${tag}&timeline=exclude&limit=10`;
          return client.send({ method: "GET", path, key }, random);
        }
        if (what < 0.5) return single(random);
        if (what < 0.7) return burst(random);
        if (what < 0.8) return batch(random);
        if (what < 0.9) return cancel(random);
        return peer.deliver(inbound.address, marker("delivery"), random);
      },

      async pending() {
        clearInterval(counted);
        const left = (await runsOf()).filter(({ status }) => !ENDED.includes(status));
        const slots = await db.select().from(runSlots).where(eq(runSlots.accountId, accountId));
        if (left.length + peer.unanswered() === 0) return null;
        const ids = left.slice(0, 5).map(({ id, status, worker }) => {
          const own = slots.filter(({ runId }) => runId === id);
          return `${id} ${status} of ${worker} (${own.map((slot) => `${slot.key} ${slot.state}`).join(", ")})`;
        });
        return `${left.length} runs of flows have not ended, and ${peer.unanswered()} posts were not answered; ${ids.join("; ")}.`;
      },

      async check() {
        const rows = await runsOf();
        const kept = await db.select().from(memories).where(eq(memories.accountId, accountId));
        const tags = await db.select().from(runTags).where(eq(runTags.accountId, accountId));
        const slots = await db.select().from(runSlots).where(eq(runSlots.accountId, accountId));
        const timeline = await db.select().from(runTimeline).where(eq(runTimeline.accountId, accountId));
        const acted = kept.map(({ content }) => content);
        return [
          ...checkSingles(singles, rows),
          ...checkBursts(bursts, rows, QUIET_SECONDS),
          ...checkBatches(batches, rows),
          ...checkPosts(peer, rows),
          ...checkEffects(rows, { acted, cancelled, timeline }),
          ...checkRooms(rows, timeline, LIMITS),
          ...checkSlots(slots),
          ...checkTags(rows, tags),
        ];
      },
    };
  },
};

/** Creates a connection to the peer, and a trigger with an address that it delivers to. */
async function prepare(client: Client, key: string, host: string) {
  const connection = {
    label: "Peer",
    provider: "peer",
    authType: "bearer",
    secret: "the peer's",
    allowedHosts: [host],
  };
  const start = {
    serviceId: "managed-memory",
    operationId: "put",
    input: { content: "{% event.data.marker %}" },
  };
  const on = { webhook: { scheme: "none", requestsPerMinute: 6000 } };
  const trigger = {
    operationId: "put",
    input: { name: "inbound", on, start, overlap: "allow" },
  };
  const must = (name: string, path: string, body: object) =>
    client.must({ method: "POST", path, key, body, headers: { "idempotency-key": `flow:${name}` } });
  const made = await must("connection", "/v1/connections", connection);
  const put = await must("trigger", "/v1/services/managed-triggers/invoke", trigger);
  return {
    connectionId: made.connection.id,
    address: put.result.trigger.on.webhook.address,
  };
}
