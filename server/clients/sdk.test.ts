import { readFileSync } from "node:fs";
import { join } from "node:path";
import { inspect } from "node:util";
import { expect, test } from "vitest";
import { apiOperations } from "#server/operations.ts";
import { startApi } from "#server/testing/api.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { openApiDocument } from "#server/transports/openapi/document.ts";
import {
  AuthenticationError,
  ConflictError,
  InvalidRequestError,
  NotFoundError,
  Platform,
  PlatformError,
  type PlatformOptions,
} from "../../clients/typescript/src/index.ts";
import { type Document, generateSdk } from "./typescript-sdk.ts";

const api = await startApi();
const { key } = await createPayingKey(api, 1000);
const connect = (options: Partial<PlatformOptions> = {}) =>
  new Platform({ apiKey: key, baseUrl: api.origin, ...options });
const platform = connect();
const generated = join(import.meta.dirname, "../../clients/typescript/src/generated");

test("the generated files match the registry", () => {
  const document = openApiDocument(apiOperations, "") as unknown as Document;
  for (const [name, text] of Object.entries(generateSdk(document))) {
    const stored = readFileSync(join(generated, name), "utf8").split("\n");
    const made = text.split("\n");
    const first = made.findIndex((line, at) => line !== stored[at]);
    expect({ name, line: made[first] }, "Run `npm run openapi`.").toEqual({ name, line: stored[first] });
    expect(stored.length).toBe(made.length);
  }
});

test("has a method for every operation", () => {
  const missing = apiOperations.filter(({ operationId }) => {
    const method = operationId.split(".").reduce<unknown>((node, part) => Object(node)[part], platform);
    return typeof method !== "function";
  });
  expect(missing.map(({ operationId }) => operationId)).toEqual([]);
});

test("creates, reads, updates and archives, each answer without its envelope", async () => {
  const made = await platform.projects.create({ name: "Web shop", metadata: { team: "a" } });
  expect(made).toMatchObject({ name: "Web shop", slug: "web-shop", metadata: { team: "a" } });
  expect(await platform.projects.read(made.id)).toEqual(made);
  expect((await platform.projects.update(made.id, { name: "Shop" })).name).toBe("Shop");
  expect((await platform.projects.archive(made.id)).status).toBe("archived");
});

test("returns the headers' values beside the data", async () => {
  const idempotencyKey = "with-response-1";
  const first = await platform.projects.create({ name: "Headers" }, { idempotencyKey }).withResponse();
  const again = await platform.projects.create({ name: "Headers" }, { idempotencyKey }).withResponse();
  expect([first.status, first.replayed, again.replayed]).toEqual([201, false, true]);
  expect(again.data).toEqual(first.data);
  expect(first.requestId).toMatch(/^req_/);
  const { secret } = await platform.apiKeys.create({
    label: "Limited",
    scopes: ["projects:read"],
    limits: { "projects.list": { requestsPerMinute: 60 } },
  });
  const { limits } = await connect({ apiKey: () => secret })
    .projects.list()
    .withResponse();
  expect(limits).toEqual([{ operation: "projects.list", remaining: 59, resetSeconds: expect.any(Number) }]);
  const charged = await platform.services
    .invoke("managed-memory", { operationId: "put", input: { content: "Hello" } })
    .withResponse();
  expect(charged.chargedCredits).toBe(charged.data.chargedCredits);
});

test("iterates every item of every page", async () => {
  const { key: own } = await api.createRootKey();
  const other = connect({ apiKey: own });
  for (const name of ["One", "Two", "Three", "Four", "Five"]) await other.projects.create({ name });
  const names: string[] = [];
  for await (const project of other.projects.list({ limit: 2 })) names.push(project.name);
  expect(names).toEqual(["Five", "Four", "Three", "Two", "One"]);
  const page = await other.projects.list({ limit: 3 });
  const next = await page.next();
  expect([
    page.items.length,
    next?.items.map(({ name }) => name),
    next?.nextCursor,
    await next?.next(),
  ]).toEqual([3, ["Two", "One"], null, null]);
});

test("types the inputs and results of the platform's own services", async () => {
  const { result } = await platform.services.invoke("managed-memory", {
    operationId: "put",
    input: { name: "greeting", content: "Hello" },
  });
  expect(result.memory.content).toBe("Hello");
  // @ts-expect-error A text is needed.
  const refused = platform.services.invoke("managed-memory", { operationId: "put", input: { content: 1 } });
  await expect(refused).rejects.toThrow(InvalidRequestError);
  const unknown = platform.services.invoke("weather-desk", { operationId: "read", input: {} });
  await expect(unknown).rejects.toThrow(NotFoundError);
});

test("throws a class for each kind of refusal, with the fields of the envelope", async () => {
  const missing = await platform.projects.read("proj_01jz4w1n9vf5ha3kqcx8y2r7te").catch((error) => error);
  expect(missing).toBeInstanceOf(NotFoundError);
  expect(missing).toMatchObject({
    code: "not_found",
    status: 404,
    operationState: "not_started",
    retryable: false,
  });
  expect(missing.requestId).toMatch(/^req_/);
  const invalid = await platform.projects.create({ name: "" }).catch((error) => error);
  expect(invalid).toBeInstanceOf(InvalidRequestError);
  expect(invalid.issues[0].path).toBe("body.name");
  await platform.projects.create({ name: "Taken" });
  await expect(platform.projects.create({ name: "Other", slug: "taken" })).rejects.toThrow(ConflictError);
  await expect(connect({ apiKey: "svc_live_wrong" }).projects.list()).rejects.toThrow(AuthenticationError);
});

test("acts in the project and for the end user that are chosen, for all calls or for one", async () => {
  const project = await platform.projects.create({ name: "Chosen" });
  const chosen = connect({ project: project.id, endUser: "Zoë" });
  const file = await chosen.files.create(Buffer.from("hello"), { name: "hello.txt" });
  expect(file).toMatchObject({ projectId: project.id, endUser: "Zoë" });
  const other = await platform.files.create(
    Buffer.from("hello"),
    { name: "other.txt" },
    { project: project.id },
  );
  expect([other.projectId, other.endUser]).toEqual([project.id, null]);
});

test("makes the first key of an account by a credit token", async () => {
  const { creditToken } = await api.createAccount();
  const nobody = new Platform({ baseUrl: api.origin });
  const { secret } = await nobody.apiKeys.create(
    { label: "First", scopes: ["projects:read"] },
    { creditToken },
  );
  expect((await connect({ apiKey: secret }).projects.list()).items).toEqual([]);
});

test("follows a run to its end, and waits for it", async () => {
  const run = await platform.runs.create({ serviceId: "managed-memory", operationId: "list", input: {} });
  await platform.runs.cancel(run.id);
  const types: string[] = [];
  const entries = platform.runs.follow(run.id);
  for await (const entry of entries) types.push(entry.type);
  expect(types[0]).toBe("state");
  expect((await platform.runs.wait(run.id, { timeoutMs: 30_000 })).status).toBe("cancelled");
});

test("says how long it waited for a run that is still running", async () => {
  const run = await platform.runs.create({ serviceId: "managed-memory", operationId: "list", input: {} });
  await expect(platform.runs.wait(run.id, { timeoutMs: 100 })).rejects.toThrow(
    `${run.id} is queued after 100 ms`,
  );
});

test("never shows the key: not printed, not as JSON, not in errors", async () => {
  const secret = `${key}\nsecond line`;
  const shown = [
    inspect(platform, { depth: 10, showHidden: true }),
    JSON.stringify(platform),
    `${platform}`,
    ...(await Promise.all(
      [
        platform.projects.read("proj_none"),
        connect({ baseUrl: "http://127.0.0.1:1", maxRetries: 0 }).projects.list(),
        connect({ apiKey: secret }).projects.list(),
        connect({ apiKey: () => secret }).projects.create({ name: "Never" }),
        connect({ timeoutMs: 0.01, maxRetries: 0 }).projects.list(),
      ].map((call) =>
        call.catch((error) => `${inspect(error, { depth: 10, showHidden: true })} ${error.stack}`),
      ),
    )),
  ];
  expect(shown.filter((text) => typeof text !== "string" || text.includes(key.slice(9)))).toEqual([]);
});

test("refuses addresses that would give the key away, and browsers", () => {
  for (const baseUrl of ["http://platform.example.com", "ftp://127.0.0.1", "platform"])
    expect(() => connect({ baseUrl })).toThrow(PlatformError);
  expect(() => connect({ baseUrl: "https://platform.example.com/v1/" })).not.toThrow();
  Object.assign(globalThis, { window: {}, document: {} });
  expect(() => connect()).toThrow("backend");
  Object.assign(globalThis, { window: undefined, document: undefined });
});

test("stops where its caller gives up", async () => {
  const signal = AbortSignal.abort(new Error("Enough."));
  await expect(platform.projects.list({}, { signal })).rejects.toThrow("Enough.");
});
