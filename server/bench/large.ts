import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import postgres from "postgres";
import { openDatabase } from "../../db/client.ts";
import { accounts } from "../../db/schema/accounts.ts";
import { defined } from "../base/defined.ts";
import { newId, toUuid } from "../base/ids.ts";
import { migrate } from "../boot/migrate.ts";
import { createCreditToken } from "../keys/credit-tokens.ts";
import { growAccounts, pagesOf, rowsSql } from "../testing/large-account.ts";
import { startTenantCluster } from "../testing/tenants.ts";
import { median } from "./report.ts";

// Measures lists and admission of two installations, one with a thousand of everything, the other with a million audit
// events and rows and a hundred thousand keys: `node large.ts DATABASE_URL` prints both p50 of each in milliseconds as
// JSON.
const databaseUrl = defined(process.argv[2]);
const CALLS = 200;
const folder = mkdtempSync(join(tmpdir(), "bench-large-"));
const children: ChildProcess[] = [];
const tenants = await startTenantCluster();

/**
 * Starts an installation in a database of its own, with one account of this size. Returns a function that requests its
 * pages.
 */
async function start(name: string, size: { events: number; keys: number; rows: number }) {
  const admin = postgres(databaseUrl, { max: 1, onnotice: () => undefined });
  await admin.unsafe(`create database ${name}`);
  await admin.end({ timeout: 5 });
  const url = databaseUrl.replace(/[^/]*$/, name);
  await migrate(url);
  const serve = fileURLToPath(new URL("../testing/processes/api-server.ts", import.meta.url));
  const child = spawn(process.execPath, [serve, url, join(folder, name), tenants.url()], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  const [port] = await once(createInterface(child.stdout), "line");

  async function call(method: string, path: string, headers: Record<string, string>, body?: unknown) {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { "content-type": "application/json", "idempotency-key": newId("request"), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${text}`);
    return JSON.parse(text);
  }

  const accountId = newId("account");
  const { db, close } = openDatabase(url, { handlers: 1 });
  const token = await db.transaction(async (tx) => {
    await tx.insert(accounts).values({ id: accountId, name: "Bench" });
    return createCreditToken(tx, accountId);
  });
  await close();
  const scopes = ["projects:read", "projects:write", "audit:read", "api_keys:manage"];
  scopes.push("databases:read", "databases:write");
  const body = { label: "Bench", scopes };
  const made = await call("POST", "/v1/api-keys", { "x-service-credit-token": token }, body);
  const authorization = `Bearer ${made.secret}`;
  const leaf = await call("POST", "/v1/api-keys", { authorization }, body);
  const { project } = await call("POST", "/v1/projects", { authorization }, { name: "Bench" });
  await call("POST", "/v1/databases/account", { authorization }, {});
  const grown = {
    account: toUuid("account", accountId),
    root: toUuid("apiKey", made.apiKey.id),
    project: toUuid("project", project.id),
  };
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  await growAccounts(sql, [{ ...grown, ...size }]);
  await sql.end({ timeout: 5 });
  const actions = [
    { type: "sql", sql: rowsSql(size.rows) },
    { type: "sql", sql: "alter table orders add primary key (id)" },
  ];
  await call("POST", "/v1/databases/actions", { authorization }, { actions, timeoutMs: 60_000 });
  const pages = pagesOf({ root: made.apiKey.id, project: project.id });
  return {
    names: Object.keys(pages),
    async read(name: string) {
      const { method, path, body, byLeaf } = defined(pages[name]);
      await call(method, path, { authorization: byLeaf ? `Bearer ${leaf.secret}` : authorization }, body);
    },
  };
}

try {
  const small = await start("thousand", { events: 1000, keys: 1000, rows: 1000 });
  const large = await start("million", { events: 1_000_000, keys: 100_000, rows: 1_000_000 });
  const times = Object.fromEntries(
    small.names.map((name) => [name, { small: [] as number[], large: [] as number[] }]),
  );
  for (let nth = 0; nth < CALLS; nth++)
    for (const [name, both] of Object.entries(times))
      for (const [size, subject] of [["small", small] as const, ["large", large] as const]) {
        const started = performance.now();
        await subject.read(name);
        both[size].push(performance.now() - started);
      }
  console.log(
    JSON.stringify(
      Object.entries(times).map(([name, both]) => ({
        name,
        small: median(both.small),
        large: median(both.large),
      })),
    ),
  );
} finally {
  for (const child of children) child.kill("SIGKILL");
  await tenants.drop();
  rmSync(folder, { recursive: true, force: true });
}
