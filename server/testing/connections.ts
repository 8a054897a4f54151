import { sql } from "drizzle-orm";
import { newId, uuidOf } from "#server/base/ids.ts";
import { useConnection } from "#server/connections/use-connection.ts";
import type { startApi } from "./api.ts";
import { keyCaller } from "./callers.ts";
import { startPeer } from "./peer.ts";

type Api = Awaited<ReturnType<typeof startApi>>;

/** The secret of connections, unless they get another. */
export const SECRET = "s3cr3t of the outside system";

/** Creates an account with a connection to these hosts, and a function that uses it as a workflow does. */
export async function connect(api: Api, settings: object, root?: Awaited<ReturnType<Api["createRootKey"]>>) {
  const { key, accountId, apiKey } = root ?? (await api.createRootKey());
  const body = { label: "Peer", provider: "peer", authType: "bearer", secret: SECRET, ...settings };
  const { connection } = (await api.send("POST", "/v1/connections", { key, body })).body;
  const path = `/v1/connections/${connection.id}`;
  return {
    accountId,
    read: async () => (await api.send("GET", path, { key })).body.connection,
    change: (changes: object) => api.send("PATCH", path, { key, body: changes }),
    remove: () => api.send("DELETE", path, { key }),
    use: () =>
      useConnection({
        caller: keyCaller(accountId, [apiKey.id]),
        connectionId: connection.id,
        requestId: newId("request"),
        purpose: "workflow",
      }),
    events: () =>
      api.platform.database.db.execute(sql`select selector, outcome, status, error_code, secret_version from audit_events
        where account_id = ${uuidOf("account", accountId)} and operation = 'connections.use' order by id`),
  };
}

/**
 * Starts a token server whose tokens are `token-1`, `token-2`, …, and a resource that accepts those for which `accepts`
 * is true.
 */
export async function startOAuth(accepts: (token: string) => boolean, answer: object = {}) {
  let tokens = 0;
  const peer = await startPeer(async ({ path, headers }) => {
    if (path !== "/token") return { status: accepts(headers.authorization ?? "") ? 200 : 401 };
    tokens += 1;
    // Long enough for all waiting callers to arrive.
    await new Promise((resolve) => setTimeout(resolve, 200));
    return { body: { access_token: `token-${tokens}`, token_type: "Bearer", expires_in: 3600, ...answer } };
  });
  const settings = {
    authType: "oauth2_client",
    clientId: "back end",
    tokenUrl: `${peer.origin}/token`,
    tokenScopes: ["orders.read", "orders.write"],
    allowedHosts: [peer.host],
  };
  const tokenRequests = () => peer.received.filter(({ path }) => path === "/token");
  return { ...peer, settings, tokenRequests };
}
