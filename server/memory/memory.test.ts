import { expect, test } from "vitest";
import type { KeyCaller } from "#server/operation/caller.ts";
import { startApi } from "#server/testing/api.ts";
import { keyCaller } from "#server/testing/callers.ts";
import { createPayingKey, invokeMemory } from "#server/testing/credits.ts";
import { deleteMemory } from "./delete-memory.ts";

const api = await startApi();

test("puts, gets and lists a memory", async () => {
  const { key } = await createPayingKey(api, 100);
  const put = await invokeMemory(api, key, "put", {
    name: "greeting",
    content: "Hello, world.",
    tags: ["hello", "first"],
    metadata: { lang: "en" },
  });
  expect(put.status).toBe(200);
  expect(put.body).toEqual({
    ok: true,
    serviceId: "managed-memory",
    operationId: "put",
    upstreamStatus: 200,
    chargedCredits: 1,
    result: {
      memory: {
        id: expect.stringMatching(/^mem_[0-9a-z]{26}$/),
        name: "greeting",
        content: "Hello, world.",
        tags: ["hello", "first"],
        metadata: { lang: "en" },
        projectId: null,
        endUser: null,
        createdAt: expect.stringMatching(/^20..-.*\.\d{3}Z$/),
        updatedAt: expect.stringMatching(/^20..-.*\.\d{3}Z$/),
      },
    },
  });
  expect(put.headers.get("x-service-credits-charged")).toBe("1");
  const { memory } = put.body.result;
  const byName = await invokeMemory(api, key, "get", { name: "greeting" });
  expect(byName.body).toMatchObject({ chargedCredits: 0, result: { memory } });
  const byId = await invokeMemory(api, key, "get", { id: memory.id });
  expect(byId.body.result.memory).toEqual(memory);
  const list = await invokeMemory(api, key, "list", {});
  expect(list.body.result).toEqual({ memories: [memory], nextCursor: null });
});

test("replaces the memory of the same name completely, and creates a new one without a name", async () => {
  const { key } = await createPayingKey(api, 100);
  const first = await invokeMemory(api, key, "put", { name: "a", content: "One", tags: ["x"] });
  const second = await invokeMemory(api, key, "put", { name: "a", content: "Two" });
  expect(second.body.result.memory).toMatchObject({
    id: first.body.result.memory.id,
    content: "Two",
    tags: [],
    createdAt: first.body.result.memory.createdAt,
  });
  await invokeMemory(api, key, "put", { content: "Three" });
  await invokeMemory(api, key, "put", { content: "Three" });
  const list = await invokeMemory(api, key, "list", {});
  expect(list.body.result.memories.map((memory: { content: string }) => memory.content)).toEqual([
    "Three",
    "Three",
    "Two",
  ]);
});

test("keeps one memory of a name that many put at once", async () => {
  const { key } = await createPayingKey(api, 100);
  const puts = await Promise.all(
    Array.from({ length: 10 }, (_, nth) => invokeMemory(api, key, "put", { name: "a", content: `${nth}` })),
  );
  expect(puts.map((put) => put.status)).toEqual(Array(10).fill(200));
  const list = await invokeMemory(api, key, "list", {});
  expect(list.body.result.memories).toHaveLength(1);
});

test("separates accounts, projects and end users fully", async () => {
  const { key } = await createPayingKey(api, 100);
  const other = await createPayingKey(api, 100);
  const project = (await api.send("POST", "/v1/projects", { key, body: { name: "Shop" } })).body.project.id;
  const bound = (await api.createChild(key, { projectId: project })).key;
  const spaces: { key: string; headers: Record<string, string> }[] = [
    { key, headers: {} },
    { key, headers: { "x-service-project": project } },
    { key, headers: { "x-service-end-user": "ada" } },
    { key, headers: { "x-service-end-user": "bob" } },
    { key, headers: { "x-service-project": project, "x-service-end-user": "ada" } },
    { key: other.key, headers: {} },
    { key: other.key, headers: { "x-service-end-user": "ada" } },
  ];
  const ids: string[] = [];
  for (const [nth, space] of spaces.entries()) {
    const put = await invokeMemory(
      api,
      space.key,
      "put",
      { name: "shared", content: `secret ${nth}` },
      { headers: space.headers },
    );
    expect(put.status).toBe(200);
    ids.push(put.body.result.memory.id);
  }
  for (const [nth, space] of spaces.entries()) {
    const call = (operationId: string, input: unknown) =>
      invokeMemory(api, space.key, operationId, input, { headers: space.headers });
    const own = [`secret ${nth}`];
    const contents = (memories: { content: string }[]) => memories.map((memory) => memory.content);
    expect((await call("get", { name: "shared" })).body.result.memory.content).toBe(own[0]);
    expect(contents((await call("list", {})).body.result.memories)).toEqual(own);
    expect(contents((await call("search", { query: "secret" })).body.result.memories)).toEqual(own);
    for (const id of ids.filter((_, other) => other !== nth)) {
      expect((await call("get", { id })).body.error).toMatchObject({
        code: "not_found",
        message: `No memory ${id}.`,
      });
    }
  }
  const seen = await invokeMemory(api, bound, "get", { name: "shared" });
  expect(seen.body.result.memory).toMatchObject({
    id: ids[1],
    content: "secret 1",
    projectId: project,
    endUser: null,
  });
  const stranger = await invokeMemory(
    api,
    key,
    "list",
    {},
    { headers: { "x-service-end-user": "never seen" } },
  );
  expect(stranger.body.result.memories).toEqual([]);
});

test("pages by a cursor that is bound to its tags", async () => {
  const { key } = await createPayingKey(api, 100);
  for (const content of ["1", "2", "3"]) await invokeMemory(api, key, "put", { content, tags: ["t"] });
  await invokeMemory(api, key, "put", { content: "4", tags: ["t", "u"] });
  const first = await invokeMemory(api, key, "list", { tags: ["t"], limit: 3 });
  expect(first.body.result.memories.map((memory: { content: string }) => memory.content)).toEqual([
    "4",
    "3",
    "2",
  ]);
  const cursor = first.body.result.nextCursor;
  const second = await invokeMemory(api, key, "list", { tags: ["t"], limit: 3, cursor });
  expect(second.body.result).toMatchObject({ memories: [{ content: "1" }], nextCursor: null });
  const other = await invokeMemory(api, key, "list", { tags: ["u"], cursor });
  expect(other.body.error).toMatchObject({
    code: "invalid_request",
    issues: [{ path: "body.input.cursor" }],
  });
  const both = await invokeMemory(api, key, "list", { tags: ["u", "t"] });
  expect(both.body.result.memories).toHaveLength(1);
});

test("ends a page before it exceeds 1 MB, and continues there", async () => {
  const { key } = await createPayingKey(api, 100);
  for (const letter of ["a", "b", "c", "d", "e"])
    await invokeMemory(api, key, "put", { name: letter, content: `word ${letter.repeat(250_000)}` });
  const first = await invokeMemory(api, key, "list", {});
  const names = (answer: typeof first) =>
    answer.body.result.memories.map((memory: { name: string }) => memory.name);
  expect(names(first)).toEqual(["e", "d", "c", "b"]);
  const second = await invokeMemory(api, key, "list", { cursor: first.body.result.nextCursor });
  expect(names(second)).toEqual(["a"]);
  expect(second.body.result.nextCursor).toBeNull();
  expect(names(await invokeMemory(api, key, "search", { query: "word" }))).toHaveLength(4);
});

test.each([
  ["no content", { name: "a" }, "body.input.content"],
  ["empty content", { content: "" }, "body.input.content"],
  ["too much content", { content: "ü".repeat(131_073) }, "body.input.content"],
  ["a blank name", { content: "a", name: " " }, "body.input.name"],
  ["51 tags", { content: "a", tags: Array.from({ length: 51 }, (_, nth) => `${nth}`) }, "body.input.tags"],
  ["a tag twice", { content: "a", tags: ["x", "x"] }, "body.input.tags"],
  ["a long tag", { content: "a", tags: ["x".repeat(101)] }, "body.input.tags.0"],
  [
    "51 metadata keys",
    { content: "a", metadata: Object.fromEntries([...Array(51).keys()].map((n) => [n, n])) },
    "body.input.metadata",
  ],
  ["an unknown field", { content: "a", color: "red" }, "body.input.color"],
  ["a list", [], "body.input"],
  ["nothing", null, "body.input"],
])("refuses to put %s, and stores nothing", async (_, input, path) => {
  const { key } = await createPayingKey(api, 100);
  const put = await invokeMemory(api, key, "put", input);
  expect(put.body.error).toMatchObject({
    status: 400,
    code: "invalid_request",
    issues: [{ path, message: expect.stringMatching(/\.$/) }],
  });
  expect((await invokeMemory(api, key, "list", {})).body.result.memories).toEqual([]);
});

test("keeps content at every bound: 256 KB of one word, of many, of any script", async () => {
  const { key } = await createPayingKey(api, 100);
  const distinct = Array.from({ length: 60_000 }, (_, nth) => nth.toString(36)).join(" ");
  const ideographs = Array.from({ length: 87_000 }, (_, nth) =>
    String.fromCodePoint(0x4e00 + ((nth * 7919) % 20_000)),
  );
  const contents = [
    "a".repeat(262_144),
    "a ".repeat(131_072),
    distinct.slice(0, 262_144),
    ideographs.join(""),
    "\u{fdfa}".repeat(87_000),
    "👩‍👩‍👧‍👦".repeat(10_000),
    "\u0301".repeat(100_000),
  ];
  for (const content of contents) {
    const put = await invokeMemory(api, key, "put", { content });
    expect(put.status).toBe(200);
    expect(put.body.result.memory.content).toBe(content);
  }
});

test("reports a missing memory, and accepts either an id or a name", async () => {
  const { key } = await createPayingKey(api, 100);
  const missing = await invokeMemory(api, key, "get", { id: "mem_01jzzzzzzzzzzzzzzzzzzzzzzz" });
  expect(missing.body.error).toMatchObject({
    status: 404,
    code: "not_found",
    message: "No memory mem_01jzzzzzzzzzzzzzzzzzzzzzzz.",
  });
  const malformed = await invokeMemory(api, key, "get", { id: "mem_x" });
  expect(malformed.body.error).toMatchObject({ status: 404, message: "No memory mem_x." });
  const named = await invokeMemory(api, key, "get", { name: "none" });
  expect(named.body.error).toMatchObject({ status: 404, message: 'No memory with the name "none".' });
  for (const input of [{}, { id: "a", name: "b" }, { name: 1 }]) {
    const refused = await invokeMemory(api, key, "get", input);
    expect(refused.body.error).toMatchObject({ status: 400, issues: [{ path: "body.input" }] });
  }
});

test("does not delete without an approval", async () => {
  const { key } = await createPayingKey(api, 100);
  const put = await invokeMemory(api, key, "put", { name: "a", content: "Keep me." });
  const refused = await invokeMemory(api, key, "delete", { name: "a" });
  expect(refused.body.error).toMatchObject({
    status: 403,
    code: "approval_required",
    operationState: "not_started",
  });
  const unknown = await api.send("POST", "/v1/services/managed-memory/invoke", {
    key,
    body: { operationId: "delete", input: { name: "a" }, approvalId: "appr_01jzzzzzzzzzzzzzzzzzzzzzzz" },
  });
  expect(unknown.body.error).toMatchObject({ status: 403, code: "approval_required" });
  const kept = await invokeMemory(api, key, "get", { name: "a" });
  expect(kept.body.result.memory).toEqual(put.body.result.memory);
});

test("deletes one memory for good, once it may", async () => {
  const { key, accountId, apiKey } = await createPayingKey(api, 100);
  const stranger = await createPayingKey(api, 100);
  await invokeMemory(api, key, "put", { name: "a", content: "Delete me." });
  await invokeMemory(api, key, "put", { name: "b", content: "Keep me." });
  const remove = (caller: KeyCaller) =>
    api.platform.database.db.transaction(async (tx) =>
      deleteMemory.handler?.({ input: { name: "a" }, caller, tx, requestId: "req_test" }),
    );
  await expect(remove(keyCaller(stranger.accountId, [stranger.apiKey.id]))).rejects.toMatchObject({
    code: "not_found",
  });
  const deleted = await remove(keyCaller(accountId, [apiKey.id]));
  expect(deleted).toMatchObject({ memory: { name: "a", content: "Delete me." } });
  const left = await invokeMemory(api, key, "search", { query: "me" });
  expect(left.body.result.memories).toMatchObject([{ name: "b" }]);
});

test("replaces a memory only as it was read, if told so, whoever else writes it at the same time", async () => {
  const { key } = await createPayingKey(api, 100);
  const put = (input: object) => invokeMemory(api, key, "put", { name: "shared", ...input });
  const first = (await put({ content: "first" })).body.result.memory;
  const ifUpdatedAt = first.updatedAt;
  const answers = await Promise.all(["a", "b", "c"].map((content) => put({ content, ifUpdatedAt })));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
  const stale = await put({ content: "stale", ifUpdatedAt });
  expect(stale.body.error).toMatchObject({ code: "state_conflict", operationState: "not_started" });
  const other = { name: "another", content: "x", ifUpdatedAt };
  expect((await invokeMemory(api, key, "put", other)).status).toBe(409);
  expect((await invokeMemory(api, key, "put", { content: "x", ifUpdatedAt })).status).toBe(400);
  const { memories } = (await invokeMemory(api, key, "list", {})).body.result;
  const [written] = answers.filter(({ status }) => status === 200);
  expect(memories).toEqual([written?.body.result.memory]);
});
