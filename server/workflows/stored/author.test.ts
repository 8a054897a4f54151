import { afterAll, expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";
import { signInMember } from "#server/testing/console.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { runWith, startRuns } from "#server/testing/runs.ts";
import { invokeWorkflows, startStored, storeWorkflow } from "#server/testing/stored-workflows.ts";
import { invokeTriggers, runsOf, startTriggers, triggersDo } from "#server/testing/triggers.ts";

const api = await startApi();
const triggers = await startTriggers(api);
const runs = await startRuns(api);
afterAll(() => Promise.all([triggers.stop(), runs.stop()]));

const pause = (seconds: number) => [{ id: "pause", type: "wait", seconds }];
const create = [{ id: "create", type: "operation", operation: "projects.create", body: { name: "Theirs" } }];
const input = (steps: object[]) => ({ name: "nightly", workflow: { name: "nightly", steps } });

/** Creates a root key with two branches: one with the author of `nightly` and a child of it, the other with a single key. */
async function createFamily() {
  const { key: root, apiKey: rootKey, accountId } = await createPayingKey(api, 1000);
  const author = await api.createChild(root);
  const putter = { scopes: ["services:invoke"], allowedServices: ["managed-workflows"] };
  const child = await api.createChild(author.key, putter);
  const sibling = await api.createChild(root, putter);
  await storeWorkflow(api, author.key, "nightly", pause(0));
  return { accountId, root, rootKey, author, child, sibling };
}

const put = (key: string, steps: object[]) => invokeWorkflows(api, key, "put", input(steps));
const signIn = async (accountId: string, role: "owner" | "developer") => {
  const member = await signInMember(api, accountId, role);
  const invoke = (operationId: string, sent: object) =>
    member.mutate("services.invoke", { serviceId: "managed-workflows", operationId, input: sent });
  return { put: (steps: object[]) => invoke("put", input(steps)), invoke };
};

test.each(["sibling", "child"] as const)(
  "keeps a %s of its author from what a workflow does",
  async (which) => {
    const family = await createFamily();
    const { root, author } = family;
    const { key } = family[which];
    const { trigger } = await triggersDo(api, author.key, "put", {
      name: "every-night",
      on: { cron: "30 2 * * *", timezone: "UTC" },
      start: { serviceId: "managed-workflows", operationId: "start", input: { name: "nightly" } },
    });
    const putBy = `key ${author.apiKey.id} has put it. Use that key or one above it, or change it in the console.`;
    const taken = {
      status: 409,
      code: "already_exists",
      message: `A workflow has the name "nightly" that is not this key's to replace: ${putBy} Or send another name.`,
    };
    expect((await put(key, create)).body.error).toMatchObject(taken);
    expect((await put(key, pause(0))).body.error).toMatchObject(taken);
    for (const operation of ["archive", "restore"])
      expect((await invokeWorkflows(api, key, operation, { name: "nightly" })).body.error).toMatchObject({
        status: 404,
        code: "not_found",
        message: `The workflow "nightly" is not this key's to change: ${putBy}`,
      });
    expect((await invokeWorkflows(api, key, "get", { name: "nightly" })).status).toBe(200);
    expect((await invokeTriggers(api, author.key, "fire", { name: "every-night" })).status).toBe(200);
    await expect
      .poll(() => runsOf(api, root, trigger.id))
      .toMatchObject([{ workflow: { version: 1 }, status: "succeeded" }]);
    expect((await api.send("GET", "/v1/projects", { key: root })).body.projects).toEqual([]);

    await invokeWorkflows(api, author.key, "archive", { name: "nightly" });
    expect((await put(key, create)).body.error).toMatchObject(taken);
  },
);

test("lets the keys above its author change a workflow, and makes them its author", async () => {
  const { root, rootKey, author } = await createFamily();
  expect((await put(author.key, pause(0))).body.result.workflow.version).toBe(1);
  // Although the content is the same: otherwise the lower key could go on changing what it does.
  const adopted = await put(root, pause(0));
  expect(adopted.body.result.workflow).toMatchObject({ version: 2, createdBy: { id: rootKey.id } });
  expect((await put(root, pause(0))).body.result.workflow.version).toBe(2);
  expect((await put(author.key, pause(1))).body.error).toMatchObject({ status: 409, code: "already_exists" });
  const archived = await invokeWorkflows(api, author.key, "archive", { name: "nightly" });
  expect(archived.body.error).toMatchObject({ status: 404, code: "not_found" });
});

test("runs a workflow of a key above with the rights of the key that starts it", async () => {
  const { root, author } = await createFamily();
  await put(author.key, create);
  const starter = await api.createChild(author.key, { scopes: ["runs:read", "runs:write"] });
  const { run } = (await startStored(api, starter.key, { name: "nightly" })).body;
  expect((await runWith(api, starter.key, run.id, "failed")).error).toMatchObject({ code: "scope_missing" });
  expect((await api.send("GET", "/v1/projects", { key: root })).body.projects).toEqual([]);
});

test("keeps a sibling key from a workflow whose author is revoked, until a key above it puts it", async () => {
  const { root, author, sibling } = await createFamily();
  await api.mustSend(200, "DELETE", `/v1/api-keys/${author.apiKey.id}`, { key: root });
  expect((await put(sibling.key, create)).body.error).toMatchObject({ status: 409, code: "already_exists" });
  expect((await put(root, pause(1))).body.result.workflow.version).toBe(2);
});

test("lets a root key with the access of an author whose root was rotated succeed it", async () => {
  const { accountId, rootKey } = await createFamily();
  const owner = await signInMember(api, accountId, "owner");
  const createRoot = async (scopes: string[]) =>
    (await owner.mutate("apiKeys.create", { label: "Next", scopes })).data.secret;
  const [next, narrow] = [await createRoot(rootKey.scopes), await createRoot(["services:invoke"])];
  expect((await put(next, pause(1))).status).toBe(409);
  expect((await owner.mutate("apiKeys.revoke", { id: rootKey.id })).status).toBe(200);
  expect((await put(narrow, create)).status).toBe(409);
  expect((await put(next, pause(1))).body.result.workflow.version).toBe(2);
});

test("lets members change the workflows of keys, and no key a member's", async () => {
  const { accountId, root, author } = await createFamily();
  const owner = await signIn(accountId, "owner");
  expect((await owner.invoke("archive", { name: "nightly" })).status).toBe(200);
  expect((await owner.invoke("restore", { name: "nightly" })).status).toBe(200);
  expect((await owner.put(pause(1))).data.result.workflow).toMatchObject({ version: 2 });
  for (const key of [root, author.key])
    expect((await put(key, create)).body.error).toMatchObject({
      status: 409,
      code: "already_exists",
      message:
        'A workflow has the name "nightly" that is not this key\'s to replace: a member has put it. Change it in the console. Or send another name.',
    });
});

test("keeps a member from workflows that run with scopes beyond their role", async () => {
  const { accountId, root, author } = await createFamily();
  const developer = await signIn(accountId, "developer");
  const owner = await signIn(accountId, "owner");
  const beyond = await developer.put(create);
  expect(beyond.error).toMatchObject({
    status: 403,
    code: "scope_missing",
    message: `The workflow "nightly" was put by key ${author.apiKey.id}, whose runs would do what you store with wallets:sign, wallets:transact, trading:execute, approvals:write, which your role lacks. Have an owner or admin put it, or send another name.`,
  });
  await owner.put(pause(1));
  const overOwner = await developer.put(create);
  expect(overOwner.error).toMatchObject({ status: 403, code: "scope_missing" });
  const narrow = await api.createChild(root, { scopes: ["services:invoke", "runs:write"] });
  await storeWorkflow(api, narrow.key, "narrow", pause(0));
  const stored = await developer.invoke("put", { ...input(pause(1)), name: "narrow" });
  expect(stored.data.result.workflow).toMatchObject({ version: 2, createdBy: { type: "member" } });
});

test("lets exactly one of two branches take a name at the same time", async () => {
  const { author, sibling } = await createFamily();
  const names = Array.from({ length: 10 }, (_, nth) => `race-${nth}`);
  for (const name of names) {
    const both = await Promise.all(
      [author, sibling].map(({ key }) => invokeWorkflows(api, key, "put", { ...input(pause(0)), name })),
    );
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  }
});
