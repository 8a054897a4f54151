import { tmpdir } from "node:os";
import { eq } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { callbacks } from "#db/schema/callbacks.ts";
import { defined } from "#server/base/defined.ts";
import { startApi } from "#server/testing/api.ts";
import { type Received, startPeer } from "#server/testing/peer.ts";
import { runWith, startRuns, startWorkerProcess } from "#server/testing/runs.ts";
import { waitsOf } from "#server/testing/sent-events.ts";
import { createStarter } from "#server/testing/workflows.ts";

const api = await startApi();
let worker = await startRuns(api, { slots: 8, perAccount: 8 });
afterAll(() => worker.stop());

/** Returns the callback's address, on this machine. */
const addressIn = ({ body }: Received): string =>
  JSON.parse(body).url.replace("http://platform.test", api.origin);

async function post(address: string, body: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(address, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  const { ok, error, status } = await response.json();
  return ok ? [response.status, status] : [response.status, error.code];
}

/** Starts a peer that gets work from a step, with workflows of one such step. */
async function begin(behave: Parameters<typeof startPeer>[0] = () => ({ status: 202 })) {
  const starter = await createStarter(api);
  const peer = await startPeer(behave);
  const connectionId = await starter.connect(peer.host);
  const work = (more: object = {}, callback: object = {}) => ({
    id: "work",
    type: "http",
    connectionId,
    method: "POST",
    url: `${peer.origin}/jobs`,
    body: { url: "{% callback.url %}", order: "{% input.order %}" },
    callback: { timeoutSeconds: 60, ...callback },
    ...more,
  });
  const start = (step: object, input: unknown = { order: 1 }) =>
    starter.start({ name: "Own code", steps: [step] }, input);
  /** Returns the address in the peer's request of this number. */
  async function address(nth = 0): Promise<string> {
    await expect.poll(() => peer.received.length).toBeGreaterThan(nth);
    return addressIn(defined(peer.received[nth]));
  }
  return { ...starter, peer, work, start, address };
}

test("continues once with the posted result; a repeat gets the first response, any other post 410", async () => {
  const { root, start, work, address } = await begin();
  const id = await start(work());
  const here = await address();
  expect(new URL(here).pathname).toMatch(/^\/resume\/[\w-]{43}$/);
  const [wait] = await waitsOf(api, root, id);
  expect(wait).toMatchObject({ step: "steps.work", events: [], callback: { progress: null } });
  const answers = await Promise.all([
    post(here, { total: "12.50", lines: [1, 2] }),
    post(here, { lines: [1, 2], total: "12.50" }),
  ]);
  expect(answers).toEqual([
    [200, "done"],
    [200, "done"],
  ]);
  expect(await post(here, { total: "13.00" })).toEqual([410, "callback_over"]);
  const run = await runWith(api, root, id, "succeeded");
  expect(run.result.output).toEqual({ total: "12.50", lines: [1, 2] });
  expect(run.waitsFor).toEqual([]);
  expect(await post(here, { total: "12.50", lines: [1, 2] })).toEqual([200, "done"]);
  expect(await post(here, { progress: 1 })).toEqual([410, "callback_over"]);
});

test("lets exactly one of two different answers count, also before the request itself is answered", async () => {
  const outcomes: unknown[][] = [];
  const { root, start, work } = await begin(async (received) => {
    const address = addressIn(received);
    outcomes.push(...(await Promise.all([post(address, { one: 1 }), post(address, { two: 2 })])));
    return { status: 202 };
  });
  const run = await runWith(api, root, await start(work()), "succeeded");
  expect(outcomes.map(([status]) => status).sort()).toEqual([200, 410]);
  expect(run.result.output).toEqual(outcomes[0]?.[0] === 200 ? { one: 1 } : { two: 2 });
});

test("refuses invalid callbacks: other methods, addresses, types, sizes and forms", async () => {
  const { start, work, address } = await begin();
  await start(work());
  const here = await address();
  expect(await post(`${here}x`, {})).toEqual([404, "not_found"]);
  expect((await fetch(here)).status).toBe(405);
  expect(await post(here, "{}", { "content-type": "text/plain" })).toEqual([415, "unsupported_media_type"]);
  expect(await post(here, { text: "x".repeat(1_048_576) })).toEqual([413, "payload_too_large"]);
  expect(await post(here, "[1]")).toEqual([400, "invalid_request"]);
  expect(await post(here, { progress: 2 })).toEqual([400, "invalid_request"]);
  expect(await post(here, { progress: 0.5, result: 1 })).toEqual([400, "invalid_request"]);
  expect(await post(here, { error: "No.", result: 1 })).toEqual([400, "invalid_request"]);
  expect(await post(here, { done: true })).toEqual([200, "done"]);
});

test("fails the step with the posted error, and attempts it again at another address", async () => {
  const { root, start, work, address, peer } = await begin();
  const id = await start(work({ retry: { maxAttempts: 2, backoffSeconds: 0, factor: 1 } }));
  const first = await address(0);
  expect(await post(first, { error: { message: "Out of stock." } })).toEqual([200, "failed"]);
  const second = await address(1);
  expect(second).not.toBe(first);
  expect(await post(first, { done: true })).toEqual([410, "callback_over"]);
  expect(await post(second, { error: "Out of stock again." })).toEqual([200, "failed"]);
  const run = await runWith(api, root, id, "failed");
  expect(run.error).toMatchObject({
    code: "service_failed",
    message: "Out of stock again.",
    step: "steps.work",
  });
  expect(new Set(peer.received.map(({ headers }) => headers["idempotency-key"])).size).toBe(1);
});

test("waits as long as heartbeats come, shows their content, and refuses late results", async () => {
  const { root, start, work, address } = await begin();
  const id = await start(work({}, { heartbeatSeconds: 6 }));
  const here = await address();
  const untils: number[] = [];
  for (const progress of [0.25, 0.5, 0.75]) {
    expect(await post(here, { progress, message: `At ${progress}` })).toEqual([200, "waiting"]);
    const [wait] = await waitsOf(api, root, id);
    expect(wait.callback).toMatchObject({ progress, message: `At ${progress}` });
    untils.push(Date.parse(wait.until));
    expect(Date.parse(wait.until) - Date.parse(wait.callback.heartbeatAt)).toBe(6000);
  }
  expect(untils).toEqual([...new Set(untils)].sort((a, b) => a - b));
  const run = await runWith(api, root, id, "failed");
  expect(run.error).toMatchObject({ code: "service_timeout", step: "steps.work" });
  expect(Date.parse(run.finishedAt)).toBeGreaterThanOrEqual(untils.at(-1) ?? 0);
  expect(await post(here, { done: true })).toEqual([410, "callback_over"]);
  const stored = api.platform.database.db.select().from(callbacks).where(eq(callbacks.runId, id));
  expect(await stored).toMatchObject([{ progress: 0.75, message: null }]);
});

test("fails where the peer does not take the work, and lets nothing come any more", async () => {
  const { root, start, work, address } = await begin(() => ({ status: 404 }));
  const run = await runWith(api, root, await start(work()), "failed");
  expect(run.error).toMatchObject({ code: "service_failed", step: "steps.work" });
  expect(await post(await address(), { done: true })).toEqual([410, "callback_over"]);
});

test("refuses callbacks of a cancelled run, and fails a run whose key was revoked", async () => {
  const { root, apiKey, start, work, address } = await begin();
  const cancelled = await start(work());
  const first = await address(0);
  await waitsOf(api, root, cancelled);
  await api.send("POST", `/v1/runs/${cancelled}/cancel`, { key: root, body: {} });
  await runWith(api, root, cancelled, "cancelled");
  expect(await post(first, { done: true })).toEqual([410, "callback_over"]);
  const orphan = await start(work());
  const second = await address(1);
  await waitsOf(api, root, orphan);
  await api.send("DELETE", `/v1/api-keys/${apiKey.id}`, { key: root });
  expect(await post(second, { done: true })).toEqual([200, "done"]);
  expect((await runWith(api, root, orphan, "failed")).error.code).toBe("api_key_revoked");
});

test("knows the address only in a step that has a callback", async () => {
  const { key, work } = await begin();
  const validate = async (steps: unknown[]) =>
    (
      await api.send("POST", "/v1/services/managed-workflows/invoke", {
        key,
        body: { operationId: "validate", input: { workflow: { name: "Test", steps } } },
      })
    ).body.result.issues;
  expect(await validate([work()])).toEqual([]);
  const message = "callback is only known in an http step that has one.";
  expect(await validate([work({ callback: undefined })])).toEqual([{ path: "steps.0.body.url", message }]);
});

test("sends once and continues once, wherever its worker is killed", async () => {
  await worker.stop();
  const inTheMiddle = Promise.withResolvers<void>();
  let hanging = 0;
  const { root, start, work, peer } = await begin(({ path }) => {
    if (path === "/jobs" || hanging === 2) return { status: 202 };
    hanging += 1;
    if (hanging === 2) inTheMiddle.resolve();
    return "hang";
  });
  const child = await startWorkerProcess(api, tmpdir(), 8);
  const waiting = await start(work());
  await waitsOf(api, root, waiting);
  await expect.poll(() => peer.received.length).toBe(1);
  const posted = await start(work({ url: `${peer.origin}/post` }));
  const put = await start(work({ url: `${peer.origin}/put`, method: "PUT" }));
  await inTheMiddle.promise;
  child.kill("SIGKILL");

  const to = (path: string) => peer.received.filter((one) => one.path === path);
  expect(await post(addressIn(defined(to("/jobs")[0])), { was: "waiting" })).toEqual([200, "done"]);
  expect(await post(addressIn(defined(to("/post")[0])), { was: "sent" })).toEqual([200, "done"]);
  worker = await startRuns(api, { slots: 8, perAccount: 8 });
  await expect.poll(() => to("/put").length).toBe(2);
  expect(new Set(to("/put").map(addressIn)).size).toBe(1);
  expect(await post(addressIn(defined(to("/put")[1])), { was: "sent again" })).toEqual([200, "done"]);
  for (const [id, was] of [
    [waiting, "waiting"],
    [posted, "sent"],
    [put, "sent again"],
  ] as const)
    expect((await runWith(api, root, id, "succeeded")).result.output).toEqual({ was });
  expect([to("/jobs").length, to("/post").length]).toEqual([1, 1]);
});
