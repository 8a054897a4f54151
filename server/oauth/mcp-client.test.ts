import { UnauthorizedError } from "@modelcontextprotocol/client";
import { expect, test } from "vitest";
import { keysOf } from "#server/keys-of.ts";
import { unique } from "#server/testing/api.ts";
import { signInMember, signUpAndIn } from "#server/testing/console.ts";
import { connectMcp, GENERATIONS } from "#server/testing/mcp-client.ts";
import { startOAuthApi } from "#server/testing/oauth.ts";
import { connectHost, type Host } from "#server/testing/oauth-host.ts";

const api = await startOAuthApi();
const person = await signUpAndIn(api);
const generations = keysOf(GENERATIONS);
const SCOPE_MISSING = { isError: true, code: "scope_missing" };

test.each(generations)(
  "a stock client of %s connects by the URL alone, calls, refreshes, and is told of the end",
  async (generation) => {
    const { client, stored } = await connectHost(api, person, generation);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain("projects_list");
    expect((await client.callTool({ name: "projects_list", arguments: {} })).isError).toBeFalsy();
    const before = stored.tokens as { access_token: string };
    // As if its hour were over: the client refreshes by itself.
    const revoked = await fetch(`${api.origin}/oauth/revoke`, {
      method: "POST",
      body: new URLSearchParams({
        token: before.access_token,
        client_id: (stored.client as { client_id: string }).client_id,
      }),
    });
    expect(revoked.status).toBe(200);
    expect((await client.callTool({ name: "projects_list", arguments: {} })).isError).toBeFalsy();
    expect((stored.tokens as { access_token: string }).access_token).not.toBe(before.access_token);
    const keys = await person.query("apiKeys.list", { status: "active" });
    await person.mutate("apiKeys.revoke", { id: keys.data.apiKeys[0].id });
    await expect(client.callTool({ name: "projects_list", arguments: {} })).rejects.toThrow();
    expect(stored.tokens).toBeUndefined();
    await client.close();
  },
);

/** The result of a tool call, as a model gets it. */
async function callTool({ client }: Host, name: string, args: Record<string, unknown>) {
  const { isError = false, structuredContent } = await client.callTool({ name, arguments: args });
  return { isError, code: (structuredContent as { error?: { code: string } } | undefined)?.error?.code };
}

function createProject() {
  const input = { name: unique("Shop") };
  return { operation: "projects.create", input, idempotencyKey: unique("project") };
}

test.each(generations)(
  "a stock client of %s asks its person for a scope that a tool needs, once",
  async (generation) => {
    const host = await connectHost(api, person, generation);
    const names = (await host.client.listTools()).tools.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["execute_write", "runs_create"]));
    const call = createProject();
    await expect(callTool(host, "execute_write", call)).rejects.toBeInstanceOf(UnauthorizedError);
    expect(host.asked().searchParams.get("scope")?.split(" ")).toEqual(
      expect.arrayContaining(["services:read", "projects:read", "projects:write"]),
    );
    await host.allow({ scopes: ["projects:read", "projects:write"] });
    expect(await callTool(host, "execute_write", call)).toEqual({ isError: false, code: undefined });
    expect(host.visits()).toBe(2);
    const { data } = await person.query("auditEvents.list", { operation: "projects.create" });
    const [made, refused] = data.auditEvents;
    expect([made.outcome, refused.outcome, refused.errorCode]).toEqual([
      "allowed",
      "denied",
      "scope_missing",
    ]);
    await host.client.close();
  },
);

test.each(generations)(
  "a stock client of %s is not sent to ask again for what was declined",
  async (generation) => {
    const host = await connectHost(api, person, generation);
    await expect(callTool(host, "execute_write", createProject())).rejects.toBeInstanceOf(UnauthorizedError);
    await host.allow({ scopes: ["projects:read"] });
    for (const call of [createProject(), createProject()])
      expect(await callTool(host, "execute_write", call)).toEqual(SCOPE_MISSING);
    expect(host.visits()).toBe(2);
    await host.client.close();
  },
);

test("no tool sends a person to ask for what they can't give, nor what no app gets", async () => {
  const viewer = await signInMember(api, person.accountId, "viewer");
  const theirs = await connectHost(api, viewer, "2026-07-28");
  expect(await callTool(theirs, "execute_write", createProject())).toEqual(SCOPE_MISSING);
  const owners = await connectHost(api, person, "2026-07-28");
  expect(await callTool(owners, "execute_read", { operation: "apiKeys.list" })).toEqual(SCOPE_MISSING);
  expect([theirs.visits(), owners.visits()]).toEqual([1, 1]);
  const { key } = await api.createRootKey({ scopes: ["services:read"] });
  const { call } = await connectMcp(api.origin, key);
  expect((await call("projects_list")).body.error.code).toBe("scope_missing");
});
