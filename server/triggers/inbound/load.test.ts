import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { defined } from "#server/base/defined.ts";
import { uuidOf } from "#server/base/ids.ts";
import { startApi, unique } from "#server/testing/api.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { putInbound } from "#server/testing/inbound.ts";
import { startServer } from "#server/testing/server-process.ts";
import { runsOf, startTriggerProcess } from "#server/testing/triggers.ts";
import { VENDORS } from "#server/testing/webhook-vendors.ts";

const api = await startApi();
const { databaseUrl: url } = api;
const TRIGGERS = 6;
const DELIVERIES = 800;
const PER_SECOND = 500;
const SENDERS = 64;
const github = defined(VENDORS.GitHub);

test("starts one run for each of hundreds of deliveries a second, though a web process and a worker are killed", {
  timeout: 600_000,
}, async () => {
  const { key, accountId } = await createPayingKey(api, 100_000);
  const start = {
    serviceId: "managed-memory",
    operationId: "put",
    input: { name: "seen", content: "{% event.headers.`x-github-delivery` %}" },
  };
  const webhook = { ...github.webhook, requestsPerMinute: 6000 };
  const triggers = await Promise.all(
    Array.from({ length: TRIGGERS }, (_, nth) => putInbound(api, key, webhook, { name: `in-${nth}`, start })),
  );
  const [killedServer, server, killedWorker] = await Promise.all([
    startServer(url),
    startServer(url),
    startTriggerProcess(api),
    startTriggerProcess(api),
  ]);
  const origins = [killedServer.origin, server.origin];
  const ended = [killedServer.child, killedWorker].map((child) => once(child, "exit"));

  const ids = Array.from({ length: DELIVERIES }, () => unique("delivery"));
  const inFlight = new Map(origins.map((origin) => [origin, 0]));
  let unanswered = 0;
  /** Returns the response's status; null without a response. */
  async function post(origin: string, nth: number): Promise<number | null> {
    const id = defined(ids[nth]);
    const { address } = defined(triggers[nth % TRIGGERS]);
    const { body, headers } = await github.send(id, 0);
    inFlight.set(origin, defined(inFlight.get(origin)) + 1);
    try {
      const response = await fetch(address.replace("http://platform.test", origin), {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body,
      });
      await response.body?.cancel();
      return response.status;
    } catch {
      unanswered += 1;
      return null;
    } finally {
      inFlight.set(origin, defined(inFlight.get(origin)) - 1);
    }
  }

  const began = performance.now();
  const statuses: number[] = [];
  let next = 0;
  async function sendOthers(): Promise<void> {
    for (;;) {
      const nth = next++;
      if (nth >= DELIVERIES) return;
      await sleep(Math.max(0, began + (nth * 1000) / PER_SECOND - performance.now()));
      // Like providers, repeats deliveries that were not accepted.
      for (let attempt = 0; ; attempt++) {
        const status = await post(defined(origins[(nth + attempt) % origins.length]), nth);
        if (status === 429 || status === 503) await sleep(100);
        if (status === null || status === 429 || status === 503) continue;
        statuses.push(status);
        break;
      }
    }
  }
  async function kill(): Promise<void> {
    await expect.poll(() => statuses.length, { interval: 1 }).toBeGreaterThan(DELIVERIES / 3);
    await expect.poll(() => inFlight.get(killedServer.origin), { interval: 1 }).toBeGreaterThan(0);
    killedServer.child.kill("SIGKILL");
    await expect.poll(() => statuses.length, { interval: 1 }).toBeGreaterThan(DELIVERIES / 2);
    killedWorker.kill("SIGKILL");
  }
  await Promise.all([kill(), ...Array.from({ length: SENDERS }, sendOthers)]);
  expect((await Promise.all(ended)).map(([, signal]) => signal)).toEqual(["SIGKILL", "SIGKILL"]);
  expect(unanswered).toBeGreaterThan(0);
  expect(statuses).toEqual(ids.map(() => 202));

  const { client } = api.platform.database;
  const states = () => client`
    select state, count(*)::int as count from trigger_ticks where account_id = ${uuidOf("account", accountId)} group by 1`;
  await expect
    .poll(states, { interval: 1000, timeout: 400_000 })
    .toEqual([{ state: "started", count: DELIVERIES }]);
  for (const [place, trigger] of triggers.entries()) {
    const started = (await runsOf(api, key, trigger.id)).map(({ input }) => input.content);
    expect(started.toSorted()).toEqual(ids.filter((_, nth) => nth % TRIGGERS === place).toSorted());
  }
  const [row] =
    await client`select count(*)::int as runs from runs where account_id = ${uuidOf("account", accountId)}`;
  expect(row).toEqual({ runs: DELIVERIES });
});
