import { apiKey } from "@better-auth/api-key";
import { betterAuth } from "better-auth";
import { getMigrations } from "better-auth/db/migration";
import { eq } from "drizzle-orm";
import pg from "pg";
import { apiKeys } from "../../db/schema/keys.ts";
import { oauthGrants } from "../../db/schema/oauth.ts";
import { defined } from "../base/defined.ts";
import { reply } from "../base/http-message.ts";
import { newId } from "../base/ids.ts";
import { issueTokens } from "../oauth/grants.ts";
import { listProjects } from "../projects/list-projects.ts";
import { startBenchApi } from "./bench-api.ts";

// Starts one process with everything to measure: `node subjects.ts DATABASE_URL` prints its port and the keys as JSON.
const databaseUrl = defined(process.argv[2]);
const json = { headers: { "content-type": "application/json" } };

const auth = betterAuth({
  baseURL: "http://localhost",
  secret: "bench-bench-bench-bench-bench-bench",
  database: new pg.Pool({ connectionString: databaseUrl, max: 4 }),
  emailAndPassword: { enabled: true },
  telemetry: { enabled: false },
  plugins: [apiKey({ rateLimit: { enabled: false } })],
});
await (await getMigrations(auth.options)).runMigrations();
const { user } = await auth.api.signUpEmail({
  body: { email: "bench@bench.test", password: "bench-bench-bench", name: "Bench" },
});
const betterAuthKey = (await auth.api.createApiKey({ body: { userId: user.id } })).key;

const { platform, port, post, createKey } = await startBenchApi(databaseUrl, {
  handlers: {
    "/bare": async () => reply(JSON.stringify((await platform.database.client`select 1 as one`)[0]), json),
    // The list's query and serialization without admission, checks and records.
    "/unguarded": async () => {
      const context = {
        query: { limit: 25 },
        caller: { accountId, project: null },
        db: platform.database.db,
      };
      return reply(JSON.stringify({ ok: true, ...(await listProjects.handler(context)) }), json);
    },
    "/better-auth": async (request) => {
      const key = request.headers["x-api-key"] ?? "";
      return reply(JSON.stringify(await auth.api.verifyApiKey({ body: { key } })), json);
    },
  },
});

/** Creates an account with one project and a chain of `depth` + 1 keys; returns the headers of the last key. */
async function makeKeys(depth: number, limits: Record<string, unknown>) {
  const scopes = ["projects:read", "projects:write", "api_keys:manage"];
  const { accountId, headers } = await createKey(scopes, { limits });
  await post("/projects", headers, { name: "Web shop" });
  for (let level = 1; level <= depth; level++) {
    const { secret } = await post("/api-keys", headers, { label: "Bench", scopes, limits });
    headers.authorization = `Bearer ${secret}`;
  }
  return { accountId, headers };
}

/** Creates an access token as an app has it that a person has allowed; returns its headers. */
async function makeToken(accountId: string) {
  const tokens = await platform.database.db.transaction(async (tx) => {
    const [key] = await tx.select().from(apiKeys).where(eq(apiKeys.accountId, accountId));
    const { id: keyId } = defined(key);
    await tx.insert(oauthGrants).values({
      accountId,
      keyId,
      memberId: newId("member"),
      clientId: newId("app"),
      clientName: "Bench",
      host: null,
      resource: "/v1",
      declined: [],
    });
    return issueTokens(tx, defined(key), 0);
  });
  return { authorization: `Bearer ${tokens.access_token}` };
}

const limits = {
  "*": { requestsPerMinute: 100_000_000 },
  "projects.list": { requestsPerMinute: 100_000_000 },
};
/** Creates a key that may invoke, and the memory that its calls read; returns its headers. */
async function makeInvoker() {
  const { headers } = await createKey(["services:invoke"], { credits: 1_000_000_000 });
  await post("/services/managed-memory/invoke", headers, {
    operationId: "put",
    input: { name: "greeting", content: "Hello" },
  });
  return headers;
}

const { accountId, headers } = await makeKeys(0, {});
const deep = await makeKeys(8, limits);
const tokenHeaders = await makeToken(accountId);
const invokeHeaders = await makeInvoker();
console.log(
  JSON.stringify({ port, headers, tokenHeaders, deepHeaders: deep.headers, invokeHeaders, betterAuthKey }),
);
