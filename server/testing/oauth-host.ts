import { defined } from "#server/base/defined.ts";
import type { startApi } from "./api.ts";
import type { signUpAndIn } from "./console.ts";
import { CALLBACK, CHOICE } from "./oauth.ts";
import { makeHost, STOCK_CLIENTS, type StockClient } from "./stock-clients.ts";

type Api = Awaited<ReturnType<typeof startApi>>;
type Person = Pick<Awaited<ReturnType<typeof signUpAndIn>>, "mutate">;

/** Starts a host with a stock client that is connected by URL only, as when a person has just entered it. */
export async function connectHost(api: Api, person: Person, name: StockClient) {
  const { Unauthorized, open } = STOCK_CLIENTS[name];
  const { stored, provider, asked, visits } = makeHost(CALLBACK);
  const openClient = () => open(new URL(`${api.origin}/mcp`), provider);

  /** Allows the request that the browser was last opened for. */
  async function allow(choice: Record<string, unknown> = {}, opened = connected) {
    const answer = await fetch(asked(), { redirect: "manual" });
    const requestId = new URL(defined(answer.headers.get("location"))).searchParams.get("request");
    const allowed = await person.mutate("apps.allow", { requestId, ...CHOICE, ...choice });
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
