import { sign } from "@octokit/webhooks-methods";
import { afterAll, expect, test, vi } from "vitest";
import { startApi, unique } from "#server/testing/api.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { eventsKept, listen } from "#server/testing/events.ts";
import { everyRow } from "#server/testing/every-row.ts";
import { deliver, putInbound } from "#server/testing/inbound.ts";
import { createRun, runWith, startRuns } from "#server/testing/runs.ts";
import { invokeTriggers, remember, runsOf, startTriggers, triggersDo } from "#server/testing/triggers.ts";

const api = await startApi();
const worker = await startTriggers(api);
const engine = await startRuns(api);
afterAll(async () => {
  await worker.stop();
  await engine.stop();
});

const SECRET = "It's a Secret to Everybody";
const github = { scheme: "github", secret: SECRET };

test("keeps secrets, addresses and deliveries out of logs, tables, audit and others' answers", async () => {
  const written: string[] = [];
  const write = vi.spyOn(process.stderr, "write").mockImplementation((line) => {
    written.push(String(line));
    return true;
  });
  const { key, accountId } = await createPayingKey(api, 100);
  await listen(api, accountId);
  const { id, address } = await putInbound(api, key, github, { pauseAfterFailures: 1, start: TEXT });
  const body = JSON.stringify({ text: "from the outside 4711" });
  const headers = { "x-hub-signature-256": await sign(SECRET, body), "x-shown": "header-of-theirs-4711" };
  expect((await deliver(api, address, body, headers)).status).toBe(202);
  expect((await deliver(api, address, `${body} `, headers)).status).toBe(401);
  await expect.poll(() => runsOf(api, key, id)).toHaveLength(1);
  const rotated = await triggersDo(api, key, "rotate_address", { name: "inbound" });
  await triggersDo(api, key, "pause", { name: "inbound" });
  const answers = [
    JSON.stringify(rotated),
    JSON.stringify(await triggersDo(api, key, "list", {})),
    JSON.stringify(await triggersDo(api, key, "get", { name: "inbound" })),
    JSON.stringify((await api.send("GET", "/v1/audit-events", { key })).body),
  ];
  write.mockRestore();
  const kept = JSON.stringify(await eventsKept(api, accountId));
  expect(kept).toContain("trigger.paused");
  const stored = await everyRow(api);
  expect(stored).toContain(rotated.trigger.on.webhook.secretFingerprint);
  const tokens = [address, rotated.trigger.on.webhook.address].map((one) => one.split("/in/")[1]);
  const hidden = { secret: [SECRET], tokens, delivery: ["header-of-theirs-4711"] };
  for (const text of Object.values(hidden).flat())
    for (const encoding of ["utf8", "hex", "base64"] as const)
      for (const place of [...written, stored, kept])
        expect(place.includes(Buffer.from(text).toString(encoding))).toBe(false);
  for (const answer of answers) expect(answer).not.toContain(SECRET);
  expect(answers[3]).not.toContain(tokens[0]);
});

const TEXT = { ...remember, input: { name: "seen", content: "{% event.data.text %}" } };

test("shows the address to those who may create runs, outside of runs", async () => {
  const { key, accountId } = await createPayingKey(api, 100);
  await listen(api, accountId);
  const { address } = await putInbound(api, key, { scheme: "none" });
  const addressFor = async (one: string) =>
    (await triggersDo(api, one, "get", { name: "inbound" })).trigger.on.webhook.address;
  const { key: reader } = await api.createChild(key, { scopes: ["runs:read", "services:invoke"] });
  expect([await addressFor(key), await addressFor(reader)]).toEqual([address, null]);
  for (const operation of ["rotate_address", "replay"])
    expect((await invokeTriggers(api, reader, operation, { name: "inbound" })).body.error.code).toBe(
      "scope_missing",
    );
  const get = { serviceId: "managed-triggers", operationId: "get", input: { name: "inbound" } };
  const workflow = { name: "Look", steps: [{ id: "look", type: "invoke", ...get }] };
  const execute = { serviceId: "managed-workflows", operationId: "execute", input: { workflow } };
  const { run } = (await createRun(api, key, execute)).body;
  const { result } = await runWith(api, key, run.id, "succeeded");
  expect(result.output.trigger.on.webhook).toMatchObject({ scheme: "none", address: null });
  await triggersDo(api, key, "pause", { name: "inbound" });
  const paused = (await eventsKept(api, accountId)).find(({ type }) => type === "trigger.paused");
  expect(paused.data.trigger.on.webhook).toMatchObject({ scheme: "none", address: null });
});

test("keeps its secret and its address when it is put again, and asks for the secret of another scheme", async () => {
  const { key } = await createPayingKey(api, 100);
  const first = await putInbound(api, key, github);
  const again = await putInbound(api, key, { scheme: "github", requestsPerMinute: 5 });
  expect(again.on.webhook).toEqual({ ...first.on.webhook, requestsPerMinute: 5 });
  const body = "{}";
  const signed = { "x-hub-signature-256": await sign(SECRET, body) };
  expect((await deliver(api, again.address, body, signed)).status).toBe(202);
  const other = await putInbound(api, key, { scheme: "github", secret: "another secret" });
  expect(other.address).toBe(first.address);
  expect(other.on.webhook.secretFingerprint).not.toBe(first.on.webhook.secretFingerprint);
  expect((await deliver(api, again.address, body, signed)).status).toBe(401);
  const slack = { name: "inbound", on: { webhook: { scheme: "slack" } }, start: remember };
  const refused = await invokeTriggers(api, key, "put", slack);
  expect(refused.body.error.issues).toMatchObject([{ path: "body.input.on.webhook.secret" }]);
});

test("answers a repeat of a call with the same address", async () => {
  const { key } = await createPayingKey(api, 100);
  const { address } = await putInbound(api, key, github);
  const body = { operationId: "rotate_address", input: { name: "inbound" } };
  const idempotencyKey = unique("rotate");
  const rotate = () =>
    api.send("POST", "/v1/services/managed-triggers/invoke", {
      key,
      body,
      idempotencyKey,
    });
  const [first, second] = [await rotate(), await rotate()];
  expect(first.body.result.trigger.on.webhook.address).not.toBe(address);
  expect(second.body).toEqual(first.body);
});

const whsec = { scheme: "standard", secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=" };
test.each([
  ["a scheme without its secret", { webhook: { scheme: "stripe" } }, "on.webhook.secret"],
  ["a secret of no scheme", { webhook: { scheme: "none", secret: "12345678" } }, "on.webhook.secret"],
  ["a secret that is no key", { webhook: { scheme: "standard", secret: "whsec_?" } }, "on.webhook.secret"],
  ["an unknown scheme", { webhook: { scheme: "paypal", secret: "12345678" } }, "on.webhook.scheme"],
  [
    "a header of a scheme that has its own",
    { webhook: { ...whsec, headerName: "x-sum" } },
    "on.webhook.headerName",
  ],
  ["two sources", { webhook: whsec, event: "order.paid" }, "on"],
  ["a time zone", { webhook: whsec, timezone: "UTC" }, "on.timezone"],
  [
    "a key of deliveries",
    { webhook: whsec, where: [{ path: "key", op: "eq", value: "1" }] },
    "on.where.0.path",
  ],
  [
    "headers of events",
    { event: "a", where: [{ path: "headers.a", op: "eq", value: "1" }] },
    "on.where.0.path",
  ],
  [
    "headers in other letters",
    { webhook: whsec, where: [{ path: "headers.A", op: "eq", value: "1" }] },
    "on.where.0.path",
  ],
])("refuses %s", async (_, on, path) => {
  const { key } = await createPayingKey(api, 10);
  const { status, body } = await invokeTriggers(api, key, "put", { name: "inbound", on, start: remember });
  expect(status).toBe(400);
  expect(body.error.issues.map((issue: { path: string }) => issue.path)).toContain(`body.input.${path}`);
});

test.each(["fire", "backfill", "rotate_address"])(
  "refuses an action that such a trigger does not have: %s",
  async (operation) => {
    const { key } = await createPayingKey(api, 10);
    const isRotation = operation === "rotate_address";
    const on = isRotation ? { everySeconds: 60 } : { webhook: github };
    await triggersDo(api, key, "put", { name: "inbound", on, start: remember });
    const times = { from: "2026-01-01T00:00:00.000Z", to: "2026-01-02T00:00:00.000Z" };
    const input = { name: "inbound", ...(operation === "backfill" && times) };
    expect((await invokeTriggers(api, key, operation, input)).body.error.code).toBe("state_conflict");
  },
);
