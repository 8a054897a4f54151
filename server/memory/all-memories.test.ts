import { expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";
import { signInMember, signUpAndIn } from "#server/testing/console.ts";

const api = await startApi();
type Person = Awaited<ReturnType<typeof signUpAndIn>>;

/** Stores a memory as a person, or for an end user with a key; returns its id. */
async function put(person: Person, input: object, { endUser, projectId }: Record<string, string> = {}) {
  const call = { operationId: "put", input };
  if (endUser === undefined) {
    const headers: Record<string, string> = projectId ? { "x-service-project": projectId } : {};
    const made = await person.mutate("services.invoke", { serviceId: "managed-memory", ...call }, headers);
    return made.data.result.memory.id as string;
  }
  const scopes = ["services:invoke"];
  const { secret } = (await person.mutate("apiKeys.create", { label: "Bound", scopes, endUser })).data;
  const path = "/v1/services/managed-memory/invoke";
  return (await api.mustSend(200, "POST", path, { key: secret, body: call })).result.memory.id as string;
}

const idsOf = async (person: Pick<Person, "query">, query: object = {}, headers = {}) =>
  (await person.query("memories.list", query, headers)).data.memories.map(({ id }: { id: string }) => id);

test("lists memories of all projects and end users, by name, tag, end user and project", async () => {
  const ada = await signUpAndIn(api);
  const projectId = (await ada.mutate("projects.create", { name: "Shop" })).data.project.id;
  const plain = await put(ada, { content: "Tea".repeat(100), tags: ["drink", "hot"] });
  const named = await put(ada, { name: "Opening hours", content: "Nine" }, { projectId });
  const theirs = await put(ada, { name: "Their HOURS", content: "Ten", tags: ["hot"] }, { endUser: "bob" });
  expect(await idsOf(ada)).toEqual([theirs, named, plain]);
  expect(await idsOf(ada, { search: "hours" })).toEqual([theirs, named]);
  expect(await idsOf(ada, { search: plain.slice(0, 12) })).toContain(plain);
  expect(await idsOf(ada, { tag: "hot" })).toEqual([theirs, plain]);
  expect(await idsOf(ada, { tag: "ho" })).toEqual([]);
  expect(await idsOf(ada, { endUser: "bob" })).toEqual([theirs]);
  expect(await idsOf(ada, {}, { "x-service-project": projectId })).toEqual([named]);
  expect(await idsOf(await signUpAndIn(api))).toEqual([]);
  const { memories, total } = (await ada.query("memories.list", { sort: "createdAt", total: "include" }))
    .data;
  expect(total).toEqual({ count: 3, more: false });
  expect(memories[0]).toEqual({
    id: plain,
    name: null,
    beginning: "Tea".repeat(67).slice(0, 200),
    contentBytes: 300,
    tags: ["drink", "hot"],
    readOnly: false,
    projectId: null,
    endUser: null,
    createdAt: expect.stringMatching(/Z$/),
    updatedAt: expect.stringMatching(/Z$/),
  });
});

test("lists memories by name in both directions, those without a name before the others", async () => {
  const ada = await signUpAndIn(api);
  const put1 = (input: object) => put(ada, { content: "Tea", ...input });
  const [first, second] = [await put1({}), await put1({})];
  const [b, a] = [await put1({ name: "b" }), await put1({ name: "A" })];
  async function walk(sort: string) {
    const ids: string[] = [];
    for (let cursor: string | undefined | null; cursor !== null; ) {
      const { data } = await ada.query("memories.list", { sort, limit: 1, ...(cursor && { cursor }) });
      ids.push(...data.memories.map(({ id }: { id: string }) => id));
      cursor = data.nextCursor;
    }
    return ids;
  }
  expect(await walk("name")).toEqual([first, second, a, b]);
  expect(await walk("-name")).toEqual([b, a, second, first]);
});

test("reads the memory of a project or an end user as its own service does", async () => {
  const [ada, eve] = [await signUpAndIn(api), await signUpAndIn(api)];
  const memoryId = await put(ada, { content: "Ten", metadata: { by: 1 } }, { endUser: "bob" });
  const { memory } = (await ada.query("memories.read", { memoryId })).data;
  expect(memory).toMatchObject({ id: memoryId, content: "Ten", metadata: { by: 1 }, endUser: "bob" });
  expect((await eve.query("memories.read", { memoryId })).error).toMatchObject({ code: "not_found" });
  const viewer = await signInMember(api, ada.accountId, "viewer");
  for (const call of [viewer.query("memories.read", { memoryId }), viewer.query("memories.list")])
    expect((await call).error).toMatchObject({ status: 403, code: "scope_missing" });
});

test("says that a memory of an archived project can't be changed", async () => {
  const ada = await signUpAndIn(api);
  const projectId = (await ada.mutate("projects.create", { name: "Shop" })).data.project.id;
  const memoryId = await put(ada, { name: "Opening hours", content: "Nine" }, { projectId });
  const plain = await put(ada, { content: "Tea" });
  const readOnly = async () => {
    const { memories } = (await ada.query("memories.list")).data;
    const read = (await ada.query("memories.read", { memoryId })).data;
    return [read.readOnly, ...memories.map((memory: { readOnly: boolean }) => memory.readOnly)];
  };
  expect(await readOnly()).toEqual([false, false, false]);
  expect((await ada.query("memories.list")).data.memories[0].id).toBe(plain);
  await ada.mutate("projects.archive", { projectId });
  expect(await readOnly()).toEqual([true, false, true]);
  await ada.mutate("projects.restore", { projectId });
  expect(await readOnly()).toEqual([false, false, false]);
});
