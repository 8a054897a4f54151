import { expect, test } from "vitest";
import { defined } from "#server/base/defined.ts";
import { keysOf } from "#server/base/keys-of.ts";
import { unique } from "#server/testing/api.ts";
import { signInMember, signUpAndIn } from "#server/testing/console.ts";
import { connectMcp } from "#server/testing/mcp-client.ts";
import { CALLBACK, CHOICE, postForm, startOAuthApi } from "#server/testing/oauth.ts";
import { makeHost, STOCK_CLIENTS, type StockClient } from "#server/testing/stock-clients.ts";

const api = await startOAuthApi();
const person = await signUpAndIn(api);
const stockClients = keysOf(STOCK_CLIENTS);
const DONE = { isError: false, code: undefined };
const SCOPE_MISSING = { isError: true, code: "scope_missing" };

/** Starts a host with a stock client that is connected by URL only, as when a person has just entered it. */
async function connectHost({ mutate }: Pick<typeof person, "mutate">, name: StockClient) {
  const { Unauthorized, open } = STOCK_CLIENTS[name];
  const { stored, provider, asked, visits } = makeHost(CALLBACK);
  const openClient = () => open(new URL(`${api.origin}/mcp`), provider);

  /** Allows the request that the browser was last opened for. */
  async function allow(choice: Record<string, unknown> = {}, opened = connected) {
    const answer = await fetch(asked(), { redirect: "manual" });
    const requestId = new URL(defined(answer.headers.get("location"))).searchParams.get("request");
    const allowed = await mutate("apps.allow", { requestId, ...CHOICE, ...choice });
    if (allowed.status !== 200) throw new Error(JSON.stringify(allowed.error));
    await opened.finish(new URL(allowed.data.redirectTo).searchParams);
  }

  const first = openClient();
  const refused = await first.connect().catch((reason) => reason);
  if (!(refused instanceof Unauthorized)) throw new Error("The client was let in.", { cause: refused });
  const connected = openClient();
  await allow({}, first);
  await connected.connect();
  const { client } = connected;

  /** Calls a tool; returns the result as a model gets it. */
  async function callTool(tool: string, args: Record<string, unknown> = {}) {
    const { isError = false, structuredContent } = await client.callTool({ name: tool, arguments: args });
    return { isError, code: (structuredContent as { error?: { code: string } } | undefined)?.error?.code };
  }
  const toolNames = async () => (await client.listTools()).tools.map((tool) => tool.name);
  const close = () => client.close();
  return { Unauthorized, stored, asked, allow, visits, callTool, toolNames, close };
}

test.each(stockClients)(
  "a stock client of %s connects by URL alone with one consent, calls, refreshes, and learns of the revocation",
  async (name) => {
    const { stored, visits, callTool, toolNames, close } = await connectHost(person, name);
    expect(await toolNames()).toContain("projects_list");
    expect(await callTool("projects_list")).toEqual(DONE);
    const before = stored.tokens.access_token;
    // As if the token had expired: the client refreshes by itself.
    const form = { token: before, client_id: stored.client.client_id };
    expect((await postForm(api, "/oauth/revoke", form)).status).toBe(200);
    expect(await callTool("projects_list")).toEqual(DONE);
    expect(stored.tokens.access_token).not.toBe(before);
    expect(visits()).toBe(1);
    const keys = await person.query("apiKeys.list", { status: "active" });
    await person.mutate("apiKeys.revoke", { id: keys.data.apiKeys[0].id });
    await expect(callTool("projects_list")).rejects.toThrow();
    expect(stored.tokens).toBeUndefined();
    await close();
  },
);

function createProject() {
  const input = { name: unique("Shop") };
  return { operation: "projects.create", input, idempotencyKey: unique("project") };
}

test.each(stockClients)(
  "a stock client of %s asks its person for a scope that a tool needs, once",
  async (name) => {
    const host = await connectHost(person, name);
    expect(await host.toolNames()).toEqual(expect.arrayContaining(["execute_write", "runs_create"]));
    const call = createProject();
    await expect(host.callTool("execute_write", call)).rejects.toBeInstanceOf(host.Unauthorized);
    expect(host.asked().searchParams.get("scope")?.split(" ")).toEqual(
      expect.arrayContaining(["services:read", "projects:read", "projects:write"]),
    );
    await host.allow({ scopes: ["projects:read", "projects:write"] });
    expect(await host.callTool("execute_write", call)).toEqual(DONE);
    expect(host.visits()).toBe(2);
    const { data } = await person.query("auditEvents.list", { operation: "projects.create" });
    const [made, refused] = data.auditEvents;
    expect([made.outcome, refused.outcome, refused.errorCode]).toEqual([
      "allowed",
      "denied",
      "scope_missing",
    ]);
    await host.close();
  },
);

test.each(stockClients)("a stock client of %s is not told to request declined scopes again", async (name) => {
  const host = await connectHost(person, name);
  await expect(host.callTool("execute_write", createProject())).rejects.toBeInstanceOf(host.Unauthorized);
  await host.allow({ scopes: ["projects:read"] });
  for (const call of [createProject(), createProject()])
    expect(await host.callTool("execute_write", call)).toEqual(SCOPE_MISSING);
  expect(host.visits()).toBe(2);
  await host.close();
});

test("no tool directs the client to scopes that the person can't grant or that no app can get", async () => {
  const viewer = await signInMember(api, person.accountId, "viewer");
  const theirs = await connectHost(viewer, "2026-07-28");
  expect(await theirs.callTool("execute_write", createProject())).toEqual(SCOPE_MISSING);
  const owners = await connectHost(person, "2026-07-28");
  expect(await owners.callTool("execute_read", { operation: "apiKeys.list" })).toEqual(SCOPE_MISSING);
  expect([theirs.visits(), owners.visits()]).toEqual([1, 1]);
  const { key } = await api.createRootKey({ scopes: ["services:read"] });
  const { call } = await connectMcp(api.origin, key);
  expect((await call("projects_list")).body.error.code).toBe("scope_missing");
});
