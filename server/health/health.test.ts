import postgres from "postgres";
import { expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";
import { startServer } from "#server/testing/server-process.ts";

const api = await startApi();

test("answers at the root and under /v1, without a key, readable from any web page", async () => {
  for (const path of ["/health", "/v1/health"]) {
    const read = async () => {
      const { status, headers, body } = await api.send("GET", path);
      const [open, id] = [headers.get("access-control-allow-origin"), headers.get("x-request-id")];
      return { status, open, id, body };
    };
    // A check that a busy machine delays by a second fails.
    await expect.poll(read).toEqual({
      status: 200,
      open: "*",
      id: expect.stringMatching(/^req_/),
      body: {
        ok: true,
        status: "ok",
        apiVersion: "v1",
        version: "1.2.3",
        commit: "0123abc",
        schema: expect.stringMatching(/^\d{4}_[a-z0-9_]+$/),
        checks: [
          { name: "database", ok: true, durationMs: expect.any(Number), message: null },
          { name: "blobs", ok: true, durationMs: expect.any(Number), message: null },
        ],
        chains: [],
      },
    });
  }
});

test("says that the database is gone, and is well again when it returns", async () => {
  const name = new URL(api.databaseUrl).pathname.slice(1);
  const admin = postgres(api.databaseUrl.replace(/[^/]*$/, "postgres"), { max: 1 });
  await admin.unsafe(`alter database ${name} allow_connections false`);
  await admin`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name}`;
  const down = await api.send("GET", "/health");
  expect(down.status).toBe(503);
  expect(down.headers.get("retry-after")).toBe("2");
  expect(down.body).toMatchObject({
    ok: false,
    error: { code: "service_unavailable", status: 503, retryable: true, operationState: "not_started" },
    status: "unavailable",
    apiVersion: "v1",
    checks: [
      {
        name: "database",
        ok: false,
        durationMs: null,
        message: "The platform's database (DATABASE_URL) is not available.",
      },
      { name: "blobs", ok: true },
    ],
    chains: [],
  });
  for (const path of ["/health/live", "/v1/health/live"])
    expect(await api.send("GET", path)).toMatchObject({ status: 200, body: { ok: true, status: "ok" } });
  await admin.unsafe(`alter database ${name} allow_connections true`);
  await admin.end();
  await expect
    .poll(async () => (await api.send("GET", "/health")).body)
    .toMatchObject({ ok: true, status: "ok" });
});

test("reports a silent database without a false response to concurrent calls", async () => {
  const { key, accountId } = await api.createRootKey();
  const other = await api.createRootKey();
  const mine = await api.send("POST", "/v1/projects", { key, body: { name: "Mine" } });
  const list = (secret: string) => api.send("GET", "/v1/projects", { key: secret });
  const sql = postgres(api.databaseUrl, { max: 1 });
  const stop = async (signal: "SIGSTOP" | "SIGCONT") => {
    const backends = await sql<{ pid: number }[]>`
      select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`;
    for (const { pid } of backends) process.kill(pid, signal);
  };
  const answers = [];
  for (let round = 0; round < 3; round++) {
    await stop("SIGSTOP");
    const asked = Promise.all([
      ...Array.from({ length: 10 }, () => list(key)),
      ...Array.from({ length: 10 }, () => list(other.key)),
    ]);
    const health = await Promise.all([api.send("GET", "/health"), api.send("GET", "/health")]);
    expect(health.map(({ status }) => status)).toEqual([503, 503]);
    await stop("SIGCONT");
    answers.push(...(await asked));
  }
  await sql.end();
  const answered = answers.filter(({ status }) => status === 200);
  // On a busy machine the database may be silent for longer than a call may take.
  expect(answers.filter(({ status }) => status !== 200 && status !== 503)).toEqual([]);
  expect(
    new Set(answered.flatMap(({ body }) => body.projects.map((project: { id: string }) => project.id))),
  ).toEqual(new Set([mine.body.project.id]));
  expect(accountId).not.toBe(other.accountId);
});

test("answers though the database is silent, which it waits a second for", async () => {
  // A connection that is opened only now would not be silent.
  await expect.poll(async () => (await api.send("GET", "/health")).status).toBe(200);
  const sql = postgres(api.databaseUrl, { max: 1 });
  const backends = await sql<{ pid: number }[]>`
    select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`;
  for (const { pid } of backends) process.kill(pid, "SIGSTOP");
  const answers = await Promise.all([api.send("GET", "/health"), api.send("GET", "/v1/health")]);
  for (const { pid } of backends) process.kill(pid, "SIGCONT");
  await sql.end();
  expect(answers.map((answer) => answer.body.checks[0].message)).toEqual([
    "The platform's database (DATABASE_URL) did not answer within 1000 ms.",
    "The platform's database (DATABASE_URL) did not answer within 1000 ms.",
  ]);
  await expect.poll(async () => (await api.send("GET", "/health")).status).toBe(200);
});

test("is degraded while this process's clock is ahead of the database's", async () => {
  const { origin } = await startServer(api.databaseUrl, "--ahead-ms", "5000");
  const read = async () => (await fetch(`${origin}/health`)).json();
  await expect.poll(read).toMatchObject({
    ok: true,
    status: "degraded",
    checks: expect.arrayContaining([
      {
        name: "clock",
        ok: false,
        durationMs: null,
        message: expect.stringMatching(
          /^This process's clock is \d\.\d s ahead of the database's\. Synchronise the clocks of both machines\.$/,
        ),
      },
    ]),
  });
});
