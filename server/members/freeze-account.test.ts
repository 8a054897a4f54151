import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { toUuid } from "#server/base/ids.ts";
import { type Answered, startApi, unique } from "#server/testing/api.ts";
import { signInMember } from "#server/testing/console.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { rowsOf, runAccount, startAllWork } from "#server/testing/frozen.ts";
import { deliver, putInbound } from "#server/testing/inbound.ts";
import { startPeer } from "#server/testing/peer.ts";
import { createEffects, play, runWith, startWorkerProcess } from "#server/testing/runs.ts";
import { scriptedService } from "#server/testing/scripted-runs.ts";
import { openStream } from "#server/testing/streams.ts";
import { createWebhook, startEndpoint } from "#server/testing/webhooks.ts";

const folder = mkdtempSync(join(tmpdir(), "freeze-account-"));
const api = await startApi({
  settings: {
    blobs: { folder },
    services: [scriptedService({ mayKill: true })],
    streams: { heartbeatMs: 200 },
  },
});
await createEffects(api);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const account = (...args: string[]) => runAccount(api, ...args);

/** Repeats a call until it is stopped, after a pause each time; returns all responses. */
function callOn(call: () => Promise<Answered>, pauseMs = 20) {
  const answers: Answered[] = [];
  let stopped = false;
  const calling = (async () => {
    while (!stopped) {
      answers.push(await call());
      await sleep(pauseMs);
    }
  })();
  return {
    answers,
    stop() {
      stopped = true;
      return calling;
    },
  };
}

const REFUSED = {
  status: 503,
  body: { ok: false, error: { code: "service_unavailable", operationState: "not_started", retryable: true } },
};

test("leaves an account as it was that something is still under way for", async () => {
  const { key, accountId } = await api.createRootKey();
  await api.mustSend(201, "POST", "/v1/projects", { key, body: { name: "Shop" } });
  // No worker is chaining the event of that call.
  expect(await account("freeze", "--account", accountId, "--seconds", "1")).toEqual({
    code: 1,
    stdout: "",
    stderr: `The account ${accountId} is not frozen. Still under way: audit events.\n`,
  });
  await api.mustSend(201, "POST", "/v1/projects", { key, body: { name: "Other shop" } });
});

describe("beside workers", () => {
  beforeAll(async () => void (await startAllWork(api)));

  test("no row of a frozen account changes under load and with a killed worker, and everything continues afterwards", async () => {
    const worker = await startWorkerProcess(api, folder, 4);
    const [frozen, other] = [await createPayingKey(api, 100_000), await createPayingKey(api, 100_000)];
    const endpoint = await startEndpoint();
    await createWebhook(api, frozen.key, endpoint.url, ["project.created", "run.succeeded"]);
    const script = [1, 2, 3, 4].map((nth) => ({ do: "step", name: `s${nth}`, ms: 100 }));
    const waiting = [script[0], { do: "wait", name: "w", seconds: 1 }, script[1]];
    const makeProject = (key: string) => {
      const idempotencyKey = unique("call");
      return api.sendPatiently("POST", "/v1/projects", {
        key,
        body: { name: unique("Shop") },
        idempotencyKey,
      });
    };
    const makeRun = (key: string, actions: unknown[]) =>
      api.sendPatiently("POST", "/v1/runs", {
        key,
        body: { serviceId: "scripted", operationId: "play", input: { actions } },
      });
    const loads = [frozen, other].map(({ key }) => ({
      projects: callOn(() => makeProject(key)),
      // More than the workers carry out would only be left to wait for.
      runs: callOn(() => makeRun(key, Math.random() < 0.5 ? script : waiting), 150),
      reads: callOn(() => api.sendPatiently("GET", "/v1/projects", { key })),
    }));
    const [ofFrozen, ofOther] = loads as [(typeof loads)[0], (typeof loads)[0]];
    await expect.poll(() => endpoint.received.length).toBeGreaterThan(20);
    await expect.poll(() => ofFrozen.runs.answers.length).toBeGreaterThan(10);

    // A busy machine needs longer than the default of a minute.
    expect(await account("freeze", "--account", frozen.accountId, "--seconds", "240")).toMatchObject({
      code: 0,
      stderr: "",
    });
    const before = await rowsOf(api, frozen.accountId);
    expect(before.runs?.length).toBeGreaterThan(5);
    const [refusedBefore, otherBefore] = [ofFrozen.projects.answers.length, ofOther.projects.answers.length];
    const deliveredBefore = endpoint.received.length;
    worker.kill("SIGKILL");
    await expect.poll(() => ofFrozen.projects.answers.length).toBeGreaterThan(refusedBefore + 50);
    const { client } = api.platform.database;
    const ended = async () =>
      (
        await client`select from runs where account_id = ${toUuid("account", other.accountId)} and status = 'succeeded'`
      ).length;
    const endedBefore = await ended();
    await expect.poll(ended).toBeGreaterThan(endedBefore + 5);
    await expect.poll(() => ofOther.projects.answers.length).toBeGreaterThan(otherBefore + 50);
    const during = await rowsOf(api, frozen.accountId);
    expect(during).toEqual(before);
    expect(endpoint.received).toHaveLength(deliveredBefore);
    for (const load of [ofFrozen.projects, ofFrozen.runs, ofFrozen.reads]) {
      const last = load.answers.at(-1);
      expect(last).toMatchObject(REFUSED);
      expect(last?.headers.get("retry-after")).toBe("1");
    }

    expect(await account("thaw", "--account", frozen.accountId)).toMatchObject({ code: 0 });
    const goneOn = ofFrozen.projects.answers.length;
    await expect
      .poll(() => ofFrozen.projects.answers.slice(goneOn).filter(({ status }) => status === 201).length)
      .toBeGreaterThan(5);
    for (const load of loads) for (const calls of Object.values(load)) await calls.stop();
    for (const calls of Object.values(ofOther))
      for (const { status } of calls.answers) expect([200, 201, 202]).toContain(status);
    for (const calls of Object.values(ofFrozen))
      for (const { status, body } of calls.answers)
        if (status > 202) expect({ status, body }).toMatchObject(REFUSED);

    const runIds = ofFrozen.runs.answers.flatMap(({ body }) => (body.ok ? [body.run.id] : []));
    for (const id of runIds) await runWith(api, frozen.key, id, "succeeded");
    const effects = await api.platform.database.client<{ run: string; n: number; names: number }[]>`
    select run, count(*)::int as n, count(distinct name)::int as names from effects where run = any(${runIds}) group by 1`;
    expect(effects).toHaveLength(runIds.length);
    for (const { n, names } of effects) expect(n).toBe(names);
    const made = ofFrozen.projects.answers.flatMap(({ body }) => (body.ok ? [body.project.id] : []));
    const delivered = () =>
      new Set(
        endpoint.received
          .filter(({ body }) => body.type === "project.created")
          .map(({ body }) => body.projectId),
      );
    await expect.poll(() => delivered().size).toBe(made.length);
    expect([...delivered()].sort()).toEqual(made.sort());
  }, 600_000);

  test("hands a run back in the middle of a long step, and repeats that step afterwards", async () => {
    const { key, accountId } = await createPayingKey(api, 1000);
    let hangs = true;
    let asked = 0;
    const peer = await startPeer(() => {
      asked += 1;
      return hangs ? "hang" : { status: 200 };
    });
    const id = await play(api, key, [
      { do: "step", name: "before" },
      { do: "send", name: "long", url: peer.origin, repeatable: true },
    ]);
    await expect.poll(() => asked).toBe(1);
    expect(await account("freeze", "--account", accountId)).toMatchObject({ code: 0, stderr: "" });
    hangs = false;
    expect(asked).toBe(1);
    expect(await account("thaw", "--account", accountId)).toMatchObject({ code: 0 });
    expect((await runWith(api, key, id, "succeeded")).attempt).toBe(1);
    expect(asked).toBe(2);
    const { client } = api.platform.database;
    expect(await client`select name from effects where run = ${id}`).toEqual([{ name: "before" }]);
  });

  test("ends the streams of a frozen account, so that their clients connect where it lives from then on", async () => {
    const { key, accountId } = await createPayingKey(api, 1000);
    const id = await play(api, key, [{ do: "wait", name: "w", seconds: 3600 }]);
    const stream = await openStream(`${api.origin}/v1/runs/${id}/events`, { key });
    expect(await account("freeze", "--account", accountId)).toMatchObject({ code: 0, stderr: "" });
    const blocks: string[] = [];
    for (let block = await stream.nextBlock(); block !== null; block = await stream.nextBlock())
      blocks.push(block);
    expect(blocks[0]).toBe("retry: 2000");
    expect(blocks.at(-1)).toMatch(/^retry: \d{3,4}$/);
    expect(blocks.length).toBeGreaterThan(1);
    expect(await account("thaw", "--account", accountId)).toMatchObject({ code: 0 });
  });

  test("answers 503 over MCP, in the console and at an inbound address while an account is frozen", async () => {
    const { key, accountId } = await createPayingKey(api, 1000);
    const { address } = await putInbound(api, key, { scheme: "none" });
    const member = await signInMember(api, accountId, "owner");
    expect((await member.query("projects.list")).status).toBe(200);
    expect(await account("freeze", "--account", accountId)).toMatchObject({ code: 0 });
    const inbound = await deliver(api, address, "{}");
    expect(inbound).toMatchObject(REFUSED);
    expect(inbound.headers.get("retry-after")).toBe("1");
    const tool = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };
    const mcp = await api.send("POST", "/mcp", {
      key,
      body: tool,
      headers: { accept: "application/json, text/event-stream" },
    });
    expect(mcp.status).toBe(503);
    for (const answer of [
      await member.query("projects.list"),
      await member.mutate("projects.create", { body: { name: "Shop" } }),
    ])
      expect(answer).toMatchObject({ status: 503, error: REFUSED.body.error });
    expect(await account("thaw", "--account", accountId)).toMatchObject({ code: 0 });
    expect((await deliver(api, address, "{}")).status).toBe(202);
    expect(await account("thaw", "--account", accountId)).toMatchObject({
      code: 1,
      stderr: `The account ${accountId} is not frozen.\n`,
    });
  });
});
