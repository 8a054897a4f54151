import { spawn } from "node:child_process";
import { once } from "node:events";
import type postgres from "postgres";
import { Refusal } from "../refusal.ts";

/**
 * Returns the lines of a proxy's map that route the account's secrets to this cell, even if they name another: the
 * SHA-256 of each secret, since the platform stores no more of it, and the cell.
 */
export async function routesOf(sql: postgres.Sql, account: string, cell: string): Promise<string[]> {
  const secrets = await sql<{ hash: string }[]>`
    select encode(hash, 'hex') as hash from (
      select hash from api_keys where account_id = ${account} and revoked_at is null
      union all select hash from credit_tokens where account_id = ${account}
      union all select hash from oauth_tokens where account_id = ${account} and expires_at > now()
      -- Addresses that others call are secrets, too.
      union all select decode(t.hash, 'hex') from inbound_webhooks w, unnest(array[w.token_hash, w.previous_token_hash]) t (hash)
        where w.account_id = ${account} and t.hash is not null
      union all select decode(c.token_hash, 'hex') from callbacks c
        where c.account_id = ${account} and callback_ends(c) > now() - interval '1 day') as secrets
    order by 1`;
  return secrets.map(({ hash }) => `${hash} ${cell}`);
}

/** Passes the lines to the operator's command that changes the proxy's map. */
export async function runRoute(command: string, lines: readonly string[]): Promise<void> {
  const child = spawn("sh", ["-c", command], { stdio: ["pipe", "ignore", "inherit"] });
  // A command that reads no input may have ended already.
  child.stdin.on("error", () => undefined).end(lines.map((line) => `${line}\n`).join(""));
  const [code] = await once(child, "close");
  if (code !== 0) throw new Refusal(`The command that changes the router's map ended with ${code}.`);
}
