import type { ChildProcess } from "node:child_process";
import { connect, createServer } from "node:net";
import { expect, test, vi } from "vitest";
import { portOf } from "#server/boot/processes.ts";
import { startApi } from "#server/testing/api.ts";
import { startNode } from "#server/testing/children.ts";
import { onCleanup } from "#server/testing/cleanup.ts";
import { processPath } from "#server/testing/program-path.ts";
import { startTakeoverClock, TAKEOVER_MS } from "#server/testing/takeover-clock.ts";
import { createWebhook, makeEvent, startDelivering, startEndpoint } from "#server/testing/webhooks.ts";

const api = await startApi();
const EVENTS = 6;

/**
 * Starts a proxy of the database that calls back when a statement is sent or, with `after`, when its response comes.
 */
async function watchDatabase(statement: string, moment: "before" | "after", reached: () => void) {
  const target = new URL(api.databaseUrl);
  const server = createServer((client) => {
    const database = connect(Number(target.port), target.hostname);
    let seen = false;
    for (const [one, other] of [
      [client, database],
      [database, client],
    ] as const)
      one.on("error", () => other.destroy()).on("close", () => other.destroy());
    client.on("data", (data) => {
      seen ||= data.includes(statement);
      if (seen && moment === "before") return reached();
      database.write(data);
    });
    database.on("data", (data) => {
      if (seen && data.includes("SELECT")) return reached();
      client.write(data);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onCleanup(() => void server.close());
  const proxied = new URL(target);
  proxied.port = String(portOf(server));
  return proxied.href;
}

function startProcess(url: string): ChildProcess {
  return startNode([processPath("deliverer"), url, api.databaseUrl]);
}

test.each([
  ["before", "fan_out_events"],
  ["after", "fan_out_events"],
  ["after", "claim_endpoints"],
  ["after", "due_deliveries"],
  ["before", "finish_attempts"],
  ["after", "finish_attempts"],
  ["before", "an answer"],
] as const)("loses no event when its worker is killed %s %s", async (moment, boundary) => {
  const { key } = await api.createRootKey();
  let kill = () => {};
  const endpoint = await startEndpoint((response) => {
    if (boundary === "an answer") kill();
    response.end();
  });
  await createWebhook(api, key, endpoint.url, ["project.created"]);
  const projects = [];
  for (let nth = 0; nth < EVENTS; nth += 1) projects.push(await makeEvent(api, key));
  const killed = Promise.withResolvers<void>();
  const child = startProcess(await watchDatabase(boundary, moment, () => kill()));
  kill = () => child.kill("SIGKILL");
  child.on("exit", () => killed.resolve());
  await killed.promise;
  kill = () => {};

  const { stop } = await startDelivering(api);
  await vi.waitFor(async () => {
    const { body } = await api.send("GET", "/v1/webhook-deliveries?status=succeeded", { key });
    expect(body.deliveries).toHaveLength(EVENTS);
  }, 120_000);
  await stop();
  const { body } = await api.send("GET", "/v1/webhook-deliveries?limit=100", { key });
  expect(body.deliveries).toHaveLength(EVENTS);
  expect([...new Set(endpoint.received.map((one) => one.body.projectId))].sort()).toEqual(projects.sort());
  // A second copy of an event has the same id and bytes as the first.
  expect(new Set(endpoint.received.map((one) => one.headers["webhook-id"])).size).toBe(EVENTS);
  expect(new Set(endpoint.received.map((one) => one.raw)).size).toBe(EVENTS);
});

test("releases its deliveries when it stops, so that another continues at once", async () => {
  const { key } = await api.createRootKey();
  const first = await startDelivering(api);
  const endpoint = await startEndpoint((response) => setTimeout(() => response.end(), 200));
  await createWebhook(api, key, endpoint.url, ["project.created"]);
  for (let nth = 0; nth < EVENTS; nth += 1) await makeEvent(api, key);
  await vi.waitFor(() => expect(endpoint.received.length).toBeGreaterThan(0), 120_000);
  await first.stop();
  const { client } = api.platform.database;
  expect(await client`select from webhook_health where claimed_by is not null`).toHaveLength(0);
  const { stop } = await startDelivering(api);
  await vi.waitFor(async () => {
    const { body } = await api.send("GET", "/v1/webhook-deliveries?status=succeeded", { key });
    expect(body.deliveries).toHaveLength(EVENTS);
  }, 120_000);
  await stop();
  expect(endpoint.received).toHaveLength(EVENTS);
});

test("takes over from a killed worker within seconds", async () => {
  const { key } = await api.createRootKey();
  let requests = 0;
  const endpoint = await startEndpoint((response) => {
    requests += 1;
    if (requests > 1) response.end();
  });
  await createWebhook(api, key, endpoint.url, ["project.created"]);
  await makeEvent(api, key);
  const child = startProcess(api.databaseUrl);
  await vi.waitFor(() => expect(endpoint.received).toHaveLength(1), 120_000);
  const { stop } = await startDelivering(api);
  const clock = await startTakeoverClock(api.databaseUrl);
  child.kill("SIGKILL");
  await vi.waitFor(() => expect(endpoint.received).toHaveLength(2), 120_000);
  expect(clock()).toBeLessThan(TAKEOVER_MS);
  await stop();
});
