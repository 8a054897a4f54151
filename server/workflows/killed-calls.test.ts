import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { defined } from "#server/base/defined.ts";
import { operatorServices } from "#server/services/operator-services.ts";
import { startApi } from "#server/testing/api.ts";
import { startModelServer } from "#server/testing/model-server.ts";
import { declaredExample } from "#server/testing/operator-services.ts";
import { type PeerAnswer, startPeer } from "#server/testing/peer.ts";
import { createRun, runWith, startRuns, startWorkerProcess } from "#server/testing/runs.ts";
import { startTakeoverClock, TAKEOVER_MS } from "#server/testing/takeover-clock.ts";
import { createStarter } from "#server/testing/workflows.ts";

/** A service that executes once per idempotency key, and never responds to the first `hangs` requests. */
let hangs = 0;
const reservations = new Map<unknown, object>();
let inTheMiddle = Promise.withResolvers<void>();
const peer = await startPeer(({ headers, body }): PeerAnswer | "hang" => {
  const key = headers["idempotency-key"];
  if (!reservations.has(key))
    reservations.set(key, { id: `r-${reservations.size}`, ...JSON.parse(body).input });
  if (hangs > 0) {
    hangs -= 1;
    if (hangs === 0) inTheMiddle.resolve();
    return "hang";
  }
  return { body: defined(reservations.get(key)) };
});
const service = declaredExample({ baseUrl: peer.origin, timeoutMs: 50_000 });
const folder = mkdtempSync(join(tmpdir(), "killed-calls-"));
const manifest = join(folder, "services.json");
writeFileSync(manifest, JSON.stringify({ services: [service] }));
const api = await startApi({ settings: { services: operatorServices([service]) } });
afterAll(() => rmSync(folder, { recursive: true }));

/** Resets the peer, and lets it ignore so many requests. */
function begin(unanswered: number) {
  hangs = unanswered;
  reservations.clear();
  peer.received.length = 0;
  inTheMiddle = Promise.withResolvers();
}

const balanceOf = async (key: string) => (await api.send("GET", "/v1/credits/balance", { key })).body.balance;

const reserve = { operationId: "reserve", input: { item: "room", quantity: 1 } };

test("continues after its worker was killed during calls, and makes each of them once", async () => {
  const { root, start } = await createStarter(api);
  begin(4);
  const invoke = { id: "book", type: "invoke", serviceId: "example-desk", ...reserve };
  const operation = { params: { serviceId: "example-desk" }, body: reserve };
  const steps = [
    [invoke],
    [{ id: "book", type: "operation", operation: "services.invoke", ...operation }],
    [{ id: "each", type: "map", items: [1, 2], concurrency: 2, steps: [invoke] }],
  ];
  const child = await startWorkerProcess(api, tmpdir(), 8, "--services", manifest);
  const ids = await Promise.all(steps.map((list) => start({ name: "Book", steps: list })));
  await inTheMiddle.promise;
  const worker = await startRuns(api, { slots: 8, perAccount: 8 });
  const clock = await startTakeoverClock(api.databaseUrl);
  child.kill("SIGKILL");
  for (const id of ids) {
    const run = await runWith(api, root, id, "succeeded");
    expect(run.error).toBeNull();
  }
  expect(clock()).toBeLessThan(TAKEOVER_MS);
  await worker.stop();
  expect(peer.received).toHaveLength(8);
  expect(reservations.size).toBe(4);
  // Two credits for each run, five for each reservation.
  expect(await balanceOf(root)).toMatchObject({ availableCredits: 1000 - 6 - 20, reservedCredits: 0 });
});

test("makes an agent's tool call once though its worker was killed during it, and tells the model its answer", async () => {
  const { root, connect } = await createStarter(api);
  begin(1);
  const contents: string[] = [];
  const model = await startModelServer(({ body }) => {
    const answers = body.messages.filter(({ role }: { role: string }) => role === "tool");
    contents.push(...answers.map(({ content }: { content: string }) => content));
    if (answers.length > 0) return { text: "Booked." };
    return {
      toolCalls: [{ name: "services_invoke_example-desk_reserve", arguments: { input: reserve.input } }],
    };
  });
  const connectionId = await connect(new URL(model.baseUrl).host);
  await api.send("PATCH", `/v1/connections/${connectionId}`, {
    key: root,
    body: { metadata: { baseUrl: model.baseUrl, model: "own" } },
  });
  const child = await startWorkerProcess(api, tmpdir(), 8, "--services", manifest);
  const { body } = await createRun(api, root, {
    serviceId: "managed-agents",
    operationId: "respond",
    input: {
      input: "Book a room.",
      tools: ["services.invoke.example-desk.reserve"],
      approveWrites: false,
      connectionId,
    },
  });
  await inTheMiddle.promise;
  const worker = await startRuns(api);
  child.kill("SIGKILL");
  const run = await runWith(api, root, body.run.id, "succeeded");
  await Promise.all([worker.stop(), model.stop()]);
  expect(run.result.steps[0].toolCalls).toMatchObject([{ outcome: "succeeded", chargedCredits: 5 }]);
  expect(contents.map((text) => JSON.parse(text))).toMatchObject([{ data: { chargedCredits: 5 } }]);
  expect(peer.received).toHaveLength(2);
  expect(reservations.size).toBe(1);
  expect(await balanceOf(root)).toMatchObject({ availableCredits: 995, reservedCredits: 0 });
});
