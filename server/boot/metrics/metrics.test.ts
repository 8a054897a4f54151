import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import postgres from "postgres";
import { afterAll, expect, test } from "vitest";
import { defined } from "#server/base/defined.ts";
import { DATABASE_GAUGES } from "../../health/database-readings.ts";
import { startApi } from "../../testing/api.ts";
import { freePort } from "../processes.ts";
import { startMetrics } from "./start-metrics.ts";

const TOKEN = "a-token-of-operators";
const api = await startApi();
const options = { directUrl: api.databaseUrl, dataDir: "/tmp", readsDatabase: true };
const metrics = await startMetrics(api.platform, { port: 0, host: "127.0.0.1", token: TOKEN }, options);
afterAll(metrics.stop);

function read(path = "/metrics", token = TOKEN) {
  return fetch(`http://127.0.0.1:${metrics.port}${path}`, { headers: { authorization: `Bearer ${token}` } });
}

/** Returns the samples of a scrape by name and sorted labels. */
async function scrape() {
  const answer = await read();
  const text = await answer.text();
  const samples = [...text.matchAll(/^([a-z_]+(?:\{[^}]*\})?) (\S+)$/gm)].map(
    ([, name, value]) => [defined(name), Number(value)] as const,
  );
  return { answer, text, samples: new Map(samples) };
}

test("refuses requests without the token, and every other path", async () => {
  expect((await read("/metrics", "another-token-of-16")).status).toBe(401);
  expect((await fetch(`http://127.0.0.1:${metrics.port}/metrics`)).status).toBe(401);
  expect((await read("/")).status).toBe(404);
  expect((await api.send("GET", "/v1/metrics")).status).toBe(404);
});

test("says without the token that the process lives", async () => {
  const answer = await fetch(`http://127.0.0.1:${metrics.port}/health/live`);
  expect([answer.status, await answer.text()]).toEqual([200, "ok\n"]);
});

test("lets a container's health check see a worker that lives, and none that does not", async () => {
  const check = fileURLToPath(new URL("../check-live.mjs", import.meta.url));
  const codeOf = async (port: number) => {
    const child = spawn(process.execPath, [check], {
      env: { NODE_ENV: "test", ROLE: "worker", METRICS_PORT: String(port) },
    });
    return (await once(child, "exit"))[0];
  };
  expect(await codeOf(metrics.port)).toBe(0);
  expect(await codeOf(await freePort())).toBe(1);
});

test("counts calls by operation, transport and status, and refusals by reason", async () => {
  const { key } = await api.createRootKey();
  await api.send("GET", "/v1/projects", { key });
  await api.send("GET", "/v1/projects", { key });
  await api.send("POST", "/v1/projects", { key, body: { name: "" } });
  await api.send("DELETE", "/v1/projects", { key });
  const { samples } = await scrape();
  const list = 'operation="projects.list",transport="api"';
  expect(samples.get(`platform_requests_total{${list},status="200"}`)).toBe(2);
  expect(samples.get(`platform_request_duration_seconds_count{${list}}`)).toBe(2);
  expect(samples.get(`platform_request_duration_seconds_bucket{le="+Inf",${list}}`)).toBe(2);
  expect(samples.get('platform_rejections_total{reason="invalid_request"}')).toBe(1);
  expect(samples.get('platform_rejections_total{reason="method_not_allowed"}')).toBe(1);
  expect(samples.get("platform_requests_active")).toBe(0);
  expect(samples.get('platform_batch_size_count{batch="admit"}')).toBeGreaterThanOrEqual(3);
  expect(samples.get('platform_batch_duration_seconds_count{batch="settle"}')).toBeGreaterThanOrEqual(3);
});

test("is OpenMetrics that names no account, key or address", async () => {
  const { accountId, key } = await api.createRootKey();
  await api.send("GET", "/v1/projects", { key });
  const { answer, text } = await scrape();
  expect(answer.headers.get("content-type")).toMatch(/^application\/openmetrics-text; version=1\.0\.0/);
  expect(text.endsWith("# EOF\n")).toBe(true);
  for (const line of text.trimEnd().split("\n"))
    expect(line).toMatch(
      /^(# (HELP|TYPE) [a-z0-9_]+ .+|# EOF|[a-z0-9_]+(\{([a-zA-Z_]+="[^"]*",?)+\})? \S+)$/,
    );
  expect(text).not.toContain(accountId);
  expect(text).not.toMatch(/\b(acct|key|prj|run|evt)_|svc_live_|127\.0\.0\.1/);
});

test("reads every gauge of the database, once", async () => {
  const { samples } = await scrape();
  expect(samples.get("platform_readings_failed")).toBe(0);
  expect(samples.get('platform_component_up{component="database"}')).toBe(1);
  expect(samples.get("platform_ledger_drift_accounts")).toBe(0);
  expect(samples.get("platform_processes_alive")).toBe(1);
  const unlabelled = Object.entries(DATABASE_GAUGES).filter(([, { labels }]) => !labels);
  expect(unlabelled.filter(([name]) => !samples.has(name))).toEqual([]);
});

test("finds accounts whose books do not balance", async () => {
  await api.createRootKey();
  const sql = postgres(api.databaseUrl, { max: 1 });
  const other = await startMetrics(api.platform, { port: 0, host: "127.0.0.1", token: null }, options);
  // No call of the platform can cause this.
  await sql`insert into ledger_accounts (account_id, book, posted) select id, 'adjustment', 1 from accounts limit 1`;
  const text = await (await fetch(`http://127.0.0.1:${other.port}/metrics`)).text();
  await other.stop();
  await sql.end();
  expect(text.match(/^platform_ledger_drift_accounts .*$/m)?.[0]).toBe("platform_ledger_drift_accounts 1");
});
