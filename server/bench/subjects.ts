import { tmpdir } from "node:os";
import { join } from "node:path";
import { apiKey } from "@better-auth/api-key";
import { betterAuth } from "better-auth";
import { getMigrations } from "better-auth/db/migration";
import pg from "pg";
import { accounts } from "../../db/schema/accounts.ts";
import { createDoor } from "../boot/door.ts";
import { newId } from "../ids.ts";
import { createCreditToken } from "../keys/credit-tokens.ts";
import { operations } from "../operations.ts";
import { startPlatform } from "../platform.ts";
import { listProjects } from "../projects/list-projects.ts";
import { reply } from "../reply.ts";
import { testSettings } from "../testing/settings.ts";
import { handleV1 } from "../transports/http.ts";

// One process with everything that is measured: `node subjects.ts DATABASE_URL` prints `{ port, keys }` as JSON.
const databaseUrl = process.argv[2] as string;
const baseUrl = "http://localhost";
const json = { headers: { "content-type": "application/json" } };
const platform = await startPlatform(
  testSettings(process.argv[3] ?? join(tmpdir(), "serve-blobs"), { baseUrl }),
  databaseUrl,
  operations,
);

const auth = betterAuth({
  baseURL: baseUrl,
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

const { client, db } = platform.database;
const accountId = newId("account");
const door = createDoor({
  baseUrl,
  lanes: {
    "/v1": handleV1,
    "/bare": async () => reply(JSON.stringify((await client`select 1 as one`)[0]), json),
    // What a list would cost whoever asks, without admission, checks and records.
    "/unguarded": async () => {
      const context = { query: { limit: 25 }, caller: { accountId, project: null }, db };
      return reply(JSON.stringify({ ok: true, ...(await listProjects.handler(context)) }), json);
    },
    "/better-auth": async (request) => {
      const key = request.headers.get("x-api-key") ?? "";
      return reply(JSON.stringify(await auth.api.verifyApiKey({ body: { key } })), json);
    },
  },
});
const port = await door.listen(0, "127.0.0.1");

async function create(path: string, headers: Record<string, string>, body: unknown) {
  const answer = await fetch(`http://127.0.0.1:${port}/v1${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", "idempotency-key": newId("request"), ...headers },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(await answer.text());
  return answer.json();
}

/** The secret of the last of `depth` + 1 keys, each made by the one before. */
async function chain(accountId: string, depth: number, limits: Record<string, unknown>): Promise<string> {
  const token = await db.transaction(async (tx) => {
    await tx.insert(accounts).values({ id: accountId, name: "Bench" });
    return createCreditToken(tx, accountId);
  });
  const body = { label: "Bench", scopes: ["projects:read", "projects:write", "api_keys:manage"], limits };
  let { secret } = await create("/api-keys", { "x-service-credit-token": token }, body);
  await create("/projects", { authorization: `Bearer ${secret}` }, { name: "Web shop" });
  for (let level = 1; level <= depth; level++) {
    ({ secret } = await create("/api-keys", { authorization: `Bearer ${secret}` }, body));
  }
  return secret;
}

const limits = {
  "*": { requestsPerMinute: 100_000_000 },
  "projects.list": { requestsPerMinute: 100_000_000 },
};
console.log(
  JSON.stringify({
    port,
    key: await chain(accountId, 0, {}),
    deepKey: await chain(newId("account"), 8, limits),
    betterAuthKey,
  }),
);
