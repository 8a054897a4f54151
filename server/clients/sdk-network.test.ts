import { expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";
import { startPeer } from "#server/testing/peer.ts";
import { type Spoiling, startSpoiledProxy } from "#server/testing/spoiled-proxy.ts";
import {
  ConnectionError,
  LimitError,
  OutcomeUnknownError,
  Platform,
  type PlatformOptions,
  ServerError,
  TimeoutError,
} from "../../clients/typescript/src/index.ts";

const api = await startApi();
const { key } = await api.createRootKey();
const proxy = await startSpoiledProxy(api.origin);
const connect = (options: Partial<PlatformOptions> = {}) =>
  new Platform({ apiKey: key, baseUrl: proxy.origin, ...options });
const platform = connect();

async function countNamed(name: string): Promise<number> {
  const direct = new Platform({ apiKey: key, baseUrl: api.origin });
  return (await direct.projects.list({ search: name })).items.length;
}

const FAULTS: Spoiling[] = ["reset before", "reset after", "bad gateway after", "cut"];

test.for(FAULTS)("acts once where the network does this twice: %s", async (fault) => {
  const name = `Network ${fault}`;
  proxy.spoil(fault, fault);
  const project = await platform.projects.create({ name });
  expect(project.name).toBe(name);
  expect(await countNamed(name)).toBe(1);
  const keys = proxy.seen.map(({ headers }) => headers["idempotency-key"]);
  expect(keys).toHaveLength(3);
  expect(new Set(keys).size).toBe(1);
  expect(keys[0]).toMatch(/^sdk_[0-9a-f-]{36}$/);
});

test("gives each call an idempotency key of its own", async () => {
  proxy.spoil();
  await Promise.all([platform.projects.create({ name: "A" }), platform.projects.create({ name: "B" })]);
  expect(new Set(proxy.seen.map(({ headers }) => headers["idempotency-key"])).size).toBe(2);
});

test.for(FAULTS)("gives up after its retries, and repeats the sent request on demand: %s", async (fault) => {
  const name = `Given up ${fault}`;
  proxy.spoil(fault, fault);
  const error = await connect({ maxRetries: 1 })
    .projects.create({ name })
    .catch((thrown) => thrown);
  expect(error).toBeInstanceOf(ConnectionError);
  await error.repeat();
  expect(new Set(proxy.seen.map(({ headers }) => headers["idempotency-key"])).size).toBe(1);
  expect(await countNamed(name)).toBe(1);
});

test("gives up a body that doesn't come, and repeats the call", async () => {
  proxy.spoil("hang");
  const project = await connect({ timeoutMs: 1000 }).projects.create({ name: "Slow body" });
  expect(project.name).toBe("Slow body");
  expect(await countNamed("Slow body")).toBe(1);
  proxy.spoil("hang");
  const error = await connect({ timeoutMs: 200, maxRetries: 0 })
    .projects.list()
    .catch((thrown) => thrown);
  expect(error).toBeInstanceOf(TimeoutError);
});

test("sends a refusal that can't change once", async () => {
  proxy.spoil();
  await platform.projects.read("proj_none").catch(() => null);
  await platform.projects.create({ name: "" }).catch(() => null);
  expect(proxy.seen).toHaveLength(2);
});

/** Returns an error envelope as the platform sends it. */
const failure = (error: Record<string, unknown>, headers: Record<string, string> = {}) => ({
  status: Number(error.status),
  headers,
  body: { ok: false, error: { message: "A test.", requestId: "req_x", docUrl: "", ...error } },
});
const LIMITED = { code: "limit_exhausted", status: 429, retryable: true, operationState: "not_started" };
const UNKNOWN = { code: "service_timeout", status: 504, retryable: false, operationState: "unknown" };
const DONE = { status: 201, body: { ok: true, project: { id: "proj_x", name: "Done" } } };

test("waits as long as Retry-After says", async () => {
  const answers = [failure(LIMITED, { "retry-after": "1" }), DONE];
  const peer = await startPeer(() => answers.shift() ?? DONE);
  const began = performance.now();
  await connect({ baseUrl: peer.origin }).projects.create({ name: "Waits" });
  expect(performance.now() - began).toBeGreaterThanOrEqual(990);
  expect(peer.received.map(({ headers }) => headers["idempotency-key"])).toHaveLength(2);
});

test("doesn't wait for a limit that is exhausted for more than a minute", async () => {
  const peer = await startPeer(() => failure(LIMITED, { "retry-after": "3600" }));
  await expect(connect({ baseUrl: peer.origin }).projects.list()).rejects.toThrow(LimitError);
  expect(peer.received).toHaveLength(1);
});

test("reports an unknown outcome to its caller, who may repeat the same call", async () => {
  const answers = [failure(UNKNOWN), DONE];
  const peer = await startPeer(() => answers.shift() ?? DONE);
  const error = await connect({ baseUrl: peer.origin })
    .projects.create({ name: "Unknown" })
    .catch((thrown) => thrown);
  expect(error).toBeInstanceOf(OutcomeUnknownError);
  expect(peer.received).toHaveLength(1);
  expect(await error.repeat()).toEqual(DONE.body.project);
  const [first, second] = peer.received;
  expect(second?.headers["idempotency-key"]).toBe(first?.headers["idempotency-key"]);
  expect(second?.body).toBe(first?.body);
});

test("follows no redirect with the key", async () => {
  const peer = await startPeer(() => ({ status: 307, headers: { location: `${api.origin}/v1/projects` } }));
  await expect(connect({ baseUrl: peer.origin }).projects.list()).rejects.toThrow("status 307");
  expect(peer.received).toHaveLength(1);
});

test("throws a server's error with its code", async () => {
  const peer = await startPeer(() =>
    failure({ code: "internal", status: 500, retryable: false, operationState: "not_started" }),
  );
  const error = await connect({ baseUrl: peer.origin })
    .projects.list()
    .catch((thrown) => thrown);
  expect(error).toBeInstanceOf(ServerError);
  expect(error.code).toBe("internal");
});
