import { apiKey } from "@better-auth/api-key";
import { betterAuth } from "better-auth";
import { getMigrations } from "better-auth/db/migration";
import pg from "pg";
import { defined } from "../defined.ts";
import { reply } from "../http-message.ts";
import { listProjects } from "../projects/list-projects.ts";
import { startBenchApi } from "./bench-api.ts";

// One process with everything that is measured: `node subjects.ts DATABASE_URL` prints its port and the keys as JSON.
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
    // What a list would cost without admission, checks and records.
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

/** What sends the last of `depth` + 1 keys, each made by the one before, of a new account with one project. */
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

const limits = {
  "*": { requestsPerMinute: 100_000_000 },
  "projects.list": { requestsPerMinute: 100_000_000 },
};
const { accountId, headers } = await makeKeys(0, {});
const deep = await makeKeys(8, limits);
console.log(JSON.stringify({ port, headers, deepHeaders: deep.headers, betterAuthKey }));
