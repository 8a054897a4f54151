import { expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";
import { signInMember, signUpAndIn } from "#server/testing/console.ts";

const api = await startApi();

test("creates, reads, changes and archives a project", async () => {
  const { key } = await api.createRootKey();
  const created = await api.send("POST", "/v1/projects", {
    key,
    body: { name: "Web Shop!", metadata: { tier: 1 } },
  });
  expect(created.status).toBe(201);
  expect(created.body).toMatchObject({
    ok: true,
    project: {
      name: "Web Shop!",
      slug: "web-shop",
      status: "active",
      archivedAt: null,
      metadata: { tier: 1 },
    },
  });
  const { id } = created.body.project;
  const read = await api.send("GET", `/v1/projects/${id}`, { key });
  expect(read.body.project).toEqual(created.body.project);
  const updated = await api.send("PATCH", `/v1/projects/${id}`, { key, body: { description: "Orders" } });
  expect(updated.body.project).toMatchObject({ name: "Web Shop!", description: "Orders" });
  const archived = await api.send("DELETE", `/v1/projects/${id}`, { key });
  expect(archived.status).toBe(200);
  expect(archived.body.project.status).toBe("archived");
  const again = await api.send("DELETE", `/v1/projects/${id}`, { key });
  expect(again.body.project).toEqual(archived.body.project);
});

test("lets exactly one of two concurrent requests take a slug", async () => {
  const { key } = await api.createRootKey();
  const answers = await Promise.all(
    [1, 2].map(() => api.send("POST", "/v1/projects", { key, body: { name: "A", slug: "shop" } })),
  );
  expect(answers.map((answer) => answer.status).sort()).toEqual([201, 409]);
  expect(answers.find((answer) => answer.status === 409)?.body.error.code).toBe("already_exists");
});

test("pages newest first, stable while rows are inserted, with a cursor bound to its filters", async () => {
  const { key } = await api.createRootKey();
  for (const name of ["a", "b", "c"]) await api.send("POST", "/v1/projects", { key, body: { name } });
  const first = await api.send("GET", "/v1/projects?limit=2", { key });
  expect(first.body.projects.map((project: { name: string }) => project.name)).toEqual(["c", "b"]);
  await api.send("POST", "/v1/projects", { key, body: { name: "d" } });
  const second = await api.send("GET", `/v1/projects?limit=2&cursor=${first.body.nextCursor}`, { key });
  expect(second.body.projects.map((project: { name: string }) => project.name)).toEqual(["a"]);
  expect(second.body.nextCursor).toBeNull();
  const other = await api.send("GET", `/v1/projects?status=active&cursor=${first.body.nextCursor}`, { key });
  expect(other.body.error).toMatchObject({ code: "invalid_request", issues: [{ path: "query.cursor" }] });
});

test("does not let a project-bound key change projects or see others", async () => {
  const { key } = await api.createRootKey();
  const mine = (await api.send("POST", "/v1/projects", { key, body: { name: "Mine" } })).body.project;
  const other = (await api.send("POST", "/v1/projects", { key, body: { name: "Other" } })).body.project;
  const bound = await api.createChild(key, { projectId: mine.id });
  const created = await api.send("POST", "/v1/projects", { key: bound.key, body: { name: "New" } });
  expect(created.body.error).toMatchObject({ status: 403, code: "project_not_allowed" });
  const list = await api.send("GET", "/v1/projects", { key: bound.key });
  expect(list.body.projects.map((project: { id: string }) => project.id)).toEqual([mine.id]);
  const read = await api.send("GET", `/v1/projects/${other.id}`, { key: bound.key });
  expect(read.status).toBe(404);
});

test("does not let a key that is bound to an end user change projects, only read and select them", async () => {
  const { key } = await api.createRootKey();
  const post = async (body: object) =>
    (await api.mustSend(201, "POST", "/v1/projects", { key, body })).project;
  const [shop, old] = [await post({ name: "Shop" }), await post({ name: "Old" })];
  await api.mustSend(200, "DELETE", `/v1/projects/${old.id}`, { key });
  const ada = await api.createChild(key, { endUser: "ada" });
  const below = await api.createChild(ada.key, { scopes: ["projects:read", "projects:write"] });
  const writes = [
    ["POST", "/v1/projects", { name: "New" }],
    ["PATCH", `/v1/projects/${shop.id}`, { name: "Mine" }],
    ["DELETE", `/v1/projects/${shop.id}`, undefined],
    ["POST", `/v1/projects/${old.id}/restore`, {}],
  ] as const;
  for (const [method, path, body] of writes)
    for (const caller of [ada, below])
      expect((await api.send(method, path, { key: caller.key, body })).body.error).toMatchObject({
        status: 403,
        code: "project_not_allowed",
        message: "The key is bound to an end user and can't change projects.",
      });
  const { projects } = await api.mustSend(200, "GET", "/v1/projects", { key: ada.key });
  expect(projects.map(({ id, name, status }: typeof shop) => [id, name, status])).toEqual([
    [old.id, "Old", "archived"],
    [shop.id, "Shop", "active"],
  ]);
  const headers = { "x-service-project": shop.id };
  expect((await api.send("GET", "/v1/files", { key: ada.key, headers })).status).toBe(200);
  const forAda = { key, headers: { "x-service-end-user": "ada" } };
  await api.mustSend(200, "DELETE", `/v1/projects/${shop.id}`, forAda);
});

test("lets a member restore an archived project, once", async () => {
  const member = await signUpAndIn(api);
  const { id } = (await member.mutate("projects.create", { name: "Shop" })).data.project;
  const key = (
    await member.mutate("apiKeys.create", { label: "Bound", scopes: ["files:read"], projectId: id })
  ).data.apiKey;
  await member.mutate("projects.archive", { projectId: id });
  const below = { parentId: key.id, label: "Child", scopes: [] };
  expect((await member.mutate("apiKeys.delegate", below)).error.code).toBe("state_conflict");
  const restored = await member.mutate("projects.restore", { projectId: id });
  expect(restored.data.project).toMatchObject({ status: "active", archivedAt: null });
  const again = await member.mutate("projects.restore", { projectId: id });
  expect(again.data.project).toEqual(restored.data.project);
  expect((await member.mutate("apiKeys.delegate", below)).status).toBe(200);
  const stranger = await signUpAndIn(api);
  expect((await stranger.mutate("projects.restore", { projectId: id })).error.status).toBe(404);
  const viewer = await signInMember(api, member.accountId, "viewer");
  expect((await viewer.mutate("projects.restore", { projectId: id })).error.code).toBe("scope_missing");
});

test("lets keys that are bound to an archived project only read, no key select it, and others change what is in it", async () => {
  const { key } = await api.createRootKey();
  const { id } = (await api.mustSend(201, "POST", "/v1/projects", { key, body: { name: "Shop" } })).project;
  const bound = await api.createChild(key, { projectId: id });
  const named = { "x-file-name": "a.txt", "content-type": "text/plain" };
  const upload = (secret: string, headers = {}) =>
    api.send("POST", "/v1/files", {
      key: secret,
      bytes: Buffer.from("a"),
      headers: { ...named, ...headers },
    });
  const { file } = (await upload(bound.key)).body;
  expect(file.projectId).toBe(id);
  await api.mustSend(200, "DELETE", `/v1/projects/${id}`, { key });
  const conflict = { status: 409, body: { error: { code: "state_conflict" } } };
  expect(await upload(bound.key)).toMatchObject(conflict);
  expect(await api.send("DELETE", `/v1/files/${file.id}`, { key: bound.key })).toMatchObject(conflict);
  expect((await api.send("GET", `/v1/files/${file.id}`, { key: bound.key })).status).toBe(200);
  const headers = { "x-service-project": id };
  expect(await upload(key, headers)).toMatchObject(conflict);
  expect(await api.send("GET", "/v1/files", { key, headers })).toMatchObject(conflict);
  const label = { label: "Late", scopes: [], projectId: id };
  expect(await api.send("POST", "/v1/api-keys", { key, body: label })).toMatchObject(conflict);
  expect((await api.send("DELETE", `/v1/files/${file.id}`, { key })).status).toBe(200);
});

test("restores an archived project once, however many keys ask, and for no key that is bound to it", async () => {
  const { key } = await api.createRootKey();
  const { id } = (await api.send("POST", "/v1/projects", { key, body: { name: "Shop" } })).body.project;
  const bound = await api.createChild(key, { projectId: id });
  await api.send("DELETE", `/v1/projects/${id}`, { key });
  const restore = (secret: string) =>
    api.send("POST", `/v1/projects/${id}/restore`, { key: secret, body: {} });
  const refused = await restore(bound.key);
  expect([refused.status, refused.body.error.code]).toEqual([409, "state_conflict"]);
  const answers = await Promise.all([1, 2, 3].map(() => restore(key)));
  const [first] = answers;
  expect(first?.body.project).toMatchObject({ id, status: "active", archivedAt: null });
  for (const { status, body } of answers) expect([status, body.project]).toEqual([200, first?.body.project]);
  expect((await restore(bound.key)).body.error).toMatchObject({ status: 403, code: "project_not_allowed" });
  const missing = await restore((await api.createRootKey()).key);
  expect(missing.body.error).toMatchObject({ status: 404, code: "not_found" });
});

test.each(["\u202egpj.eciovni", "a\u2066b"])(
  "refuses a text that is shown as another one: %j",
  async (name) => {
    const { key } = await api.createRootKey();
    const made = await api.send("POST", "/v1/projects", { key, body: { name } });
    expect(made.body.error).toMatchObject({ status: 400, issues: [{ path: "body.name" }] });
    const child = { label: name, scopes: [] };
    const keyed = await api.send("POST", "/v1/api-keys", { key, body: child });
    expect(keyed.body.error).toMatchObject({ status: 400, issues: [{ path: "body.label" }] });
    const described = { name: "Shop", description: name };
    const other = await api.send("POST", "/v1/projects", { key, body: described });
    expect(other.body.error).toMatchObject({ status: 400, issues: [{ path: "body.description" }] });
  },
);

test("finds by a part of the name, ignoring case, and treats no character as a pattern", async () => {
  const { key } = await api.createRootKey();
  for (const name of ["Web shop", "Mobile shop", "100% sure", "a_b"])
    await api.send("POST", "/v1/projects", { key, body: { name } });
  const found = async (search: string) => {
    const { body } = await api.send("GET", `/v1/projects?search=${encodeURIComponent(search)}`, { key });
    return body.projects.map(({ name }: { name: string }) => name);
  };
  expect(await found("SHOP")).toEqual(["Mobile shop", "Web shop"]);
  expect(await found("%")).toEqual(["100% sure"]);
  expect(await found("a_b")).toEqual(["a_b"]);
  expect(await found("\\")).toEqual([]);
  const child = await api.createChild(key, { label: "Shop key" });
  const keys = await api.send("GET", "/v1/api-keys?search=shop", { key });
  expect(keys.body.apiKeys.map(({ id }: { id: string }) => id)).toEqual([child.apiKey.id]);
});
