import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { defined } from "#server/base/defined.ts";
import { unique } from "#server/testing/api.ts";
import { startNode, startReadyNode } from "#server/testing/children.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { postForm, startOAuthApi } from "#server/testing/oauth.ts";
import { createWebhook, makeEvent, startEndpoint } from "#server/testing/webhooks.ts";

const api = await startOAuthApi();
const PRELOAD = new URL("../../testing/torture/preload.ts", import.meta.url).href;
const SKEW_MS = 30_000;

/** The options of a process whose clock is ahead by so many milliseconds. */
function clockAhead(ms: number) {
  const clock = join(mkdtempSync(join(tmpdir(), "clock-")), "clock");
  writeFileSync(clock, String(ms));
  return { env: { ...process.env, TORTURE_CLOCK: clock } };
}

/** Starts another web process whose clock is ahead by so many milliseconds; returns its origin. */
async function startAhead(ms: number): Promise<string> {
  const server = ["server/testing/processes/api-server.ts", api.databaseUrl, "--base-url", api.origin];
  const { line: port } = await startReadyNode(["--import", PRELOAD, ...server], clockAhead(ms));
  return `http://127.0.0.1:${port}`;
}

const origins = [api.origin, await startAhead(SKEW_MS), await startAhead(-SKEW_MS)];
const inTurn = (nth: number) => defined(origins[nth % origins.length]);

async function call(
  origin: string,
  method: string,
  path: string,
  key: string,
  body?: object,
  idempotencyKey = unique("skewed"),
) {
  const answer = await fetch(origin + path, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body && { "content-type": "application/json", "idempotency-key": idempotencyKey }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, headers: answer.headers, body: await answer.json() };
}

test("admits no more than a minute's limit, whichever of the processes is called", async () => {
  const { key } = await api.createRootKey({ limits: { "projects.list": { requestsPerMinute: 20 } } });
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, nth) => call(inTurn(nth), "GET", "/v1/projects", key)),
  );
  expect(answers.filter(({ status }) => status === 200).length).toBe(20);
  for (const { body } of answers.filter(({ status }) => status === 429)) {
    const untilReset = Date.parse(body.error.limit.resetAt) - Date.now();
    expect(untilReset).toBeGreaterThan(-SKEW_MS / 2);
    expect(untilReset).toBeLessThan(60_000 + SKEW_MS / 2);
  }
});

test("lists the resources of all processes in the order of their creation, and replays each other's answers", async () => {
  const { key } = await api.createRootKey();
  const names = Array.from({ length: 6 }, (_, nth) => `Project ${nth}`);
  for (const [nth, name] of names.entries()) {
    const idempotencyKey = unique("project");
    const made = await call(inTurn(nth), "POST", "/v1/projects", key, { name }, idempotencyKey);
    expect(made.status).toBe(201);
    expect(Math.abs(Date.parse(made.body.project.createdAt) - Date.now())).toBeLessThan(SKEW_MS / 2);
    const again = await call(inTurn(nth + 1), "POST", "/v1/projects", key, { name }, idempotencyKey);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(again.body).toEqual(made.body);
    // Processes know the database's clock as accurately as its answers are quick.
    await sleep(500);
  }
  for (const origin of origins) {
    const { projects } = (await call(origin, "GET", "/v1/projects", key)).body;
    expect(projects.map(({ name }: { name: string }) => name)).toEqual(names.toReversed());
  }
});

test("lets a key expire at its time, at each process", async () => {
  const { key: root } = await api.createRootKey();
  const child = (inMs: number) => ({
    label: "Short",
    scopes: ["projects:read"],
    expiresAt: new Date(Date.now() + inMs).toISOString(),
  });
  for (const [nth, origin] of origins.entries()) {
    const { status, body } = await call(origin, "POST", "/v1/api-keys", root, child(SKEW_MS / 2));
    expect(status).toBe(201);
    expect((await call(inTurn(nth + 1), "GET", "/v1/projects", body.secret)).status).toBe(200);
  }
  for (const origin of origins)
    expect((await call(origin, "POST", "/v1/api-keys", root, child(-1000))).body.error.code).toBe(
      "invalid_request",
    );
});

test("charges each call once, and shows one ledger in one order", async () => {
  const { key } = await createPayingKey(api, 100);
  const put = (nth: number) => ({ operationId: "put", input: { content: `Note ${nth}` } });
  for (let nth = 0; nth < 6; nth++)
    expect(
      (await call(inTurn(nth), "POST", "/v1/services/managed-memory/invoke", key, put(nth))).status,
    ).toBe(200);
  const ledgers = await Promise.all(origins.map((origin) => call(origin, "GET", "/v1/credits/ledger", key)));
  const [first, ...others] = ledgers.map(({ body }) => body.entries);
  for (const other of others) expect(other).toEqual(first);
  const times = first.map(({ createdAt }: { createdAt: string }) => createdAt);
  expect(times).toEqual(times.toSorted().toReversed());
});

test("asks a device that polls too soon to slow down, whichever process it polled before", async () => {
  const form = { client_id: "cli", grant_type: "urn:ietf:params:oauth:grant-type:device_code" };
  const pollTwice = async () => {
    const { body: asked } = await postForm({ origin: inTurn(0) }, "/oauth/device", { client_id: "cli" });
    const poll = (nth: number) =>
      postForm({ origin: inTurn(nth) }, "/oauth/token", { ...form, device_code: asked.device_code });
    // By the process that is behind, then by the one that is ahead.
    return [(await poll(2)).body.error, (await poll(1)).body.error];
  };
  // A busy machine may take longer than the interval between the two.
  await expect.poll(pollTwice).toEqual(["authorization_pending", "slow_down"]);
});

test("tells when the address of a download ends, whichever process signed it", async () => {
  const { key } = await api.createRootKey();
  const { body } = await api.send("POST", "/v1/files", {
    key,
    bytes: Buffer.from("Hello"),
    headers: { "x-file-name": "a.txt" },
  });
  const ends = await Promise.all(
    origins.map(async (origin) => {
      const read = await call(origin, "GET", `/v1/files/${body.file.id}`, key);
      return Date.parse(read.body.file.downloadUrlExpiresAt);
    }),
  );
  expect(Math.max(...ends) - Math.min(...ends)).toBeLessThan(SKEW_MS / 2);
});

test("a worker that gets no calls signs deliveries with the database's time", async () => {
  const { key } = await api.createRootKey();
  const endpoint = await startEndpoint();
  await createWebhook(api, key, endpoint.url, ["project.created"]);
  const deliverer = ["server/testing/processes/deliverer.ts", api.databaseUrl];
  startNode(["--import", PRELOAD, ...deliverer], clockAhead(SKEW_MS));
  await makeEvent(api, key);
  await expect.poll(() => endpoint.received).toHaveLength(1);
  const signedAt = Number(endpoint.received[0]?.headers["webhook-timestamp"]) * 1000;
  expect(Math.abs(signedAt - Date.now())).toBeLessThan(SKEW_MS / 2);
});
