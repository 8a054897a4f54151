import { createHash } from "node:crypto";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { erasePerson } from "#server/audit/erase-person.ts";
import { defined } from "#server/base/defined.ts";
import { newId, uuidOf } from "#server/base/ids.ts";
import { startApi, unique } from "#server/testing/api.ts";
import { approvedDeletion, askToDelete, decide, deleteApproved } from "#server/testing/approvals.ts";
import { createPayingKey, invokeMemory } from "#server/testing/credits.ts";

const api = await startApi();
const { db } = api.platform.database;

async function listed(key: string, filter = "") {
  return (await api.send("GET", `/v1/approvals${filter}`, { key })).body.approvals;
}

/** Moves an approval's expiry to the past. */
async function lapse(approvalId: string) {
  await db.execute(
    sql`update approvals set expires_at = now() - interval '1 second' where id = ${uuidOf("approval", approvalId)}`,
  );
}

test("deletes a memory with an approval of exactly that, and records it", async () => {
  const { key, apiKey } = await createPayingKey(api, 10);
  await invokeMemory(api, key, "put", { name: "greeting", content: "Hello, world." });
  const without = await deleteApproved(api, key, { name: "greeting" }, undefined);
  expect(without.body.error).toMatchObject({
    status: 403,
    code: "approval_required",
    operationState: "not_started",
  });

  const asked = await askToDelete(api, key, { name: "greeting" }, { reason: "The customer left." });
  expect(asked.status).toBe(201);
  const payload = '{"input":{"name":"greeting"},"operationId":"delete","serviceId":"managed-memory"}';
  expect(asked.body.approval).toEqual({
    id: expect.stringMatching(/^appr_/),
    kind: "service_action",
    subject: { serviceId: "managed-memory", operationId: "delete", id: null },
    summary: expect.stringMatching(
      /^Delete the memory "greeting" for good: 13 characters, last changed on \d+ \w+ \d{4} at \d\d:\d\d UTC\.$/,
    ),
    reason: "The customer left.",
    payload: { serviceId: "managed-memory", operationId: "delete", input: { name: "greeting" } },
    payloadHash: createHash("sha256").update(payload).digest("hex"),
    requestedBy: { type: "key", id: apiKey.id, label: "Root" },
    requiredApprovals: 1,
    initiatorMayApprove: true,
    approvers: null,
    decisions: [],
    status: "pending",
    runId: null,
    projectId: null,
    endUser: null,
    createdAt: expect.any(String),
    expiresAt: expect.any(String),
    decidedAt: null,
    consumedAt: null,
  });
  const { id, createdAt, expiresAt } = asked.body.approval;
  expect(Math.round((Date.parse(expiresAt) - Date.parse(createdAt)) / 1000)).toBe(86_400);

  const decided = await decide(api, key, asked.body.approval, { reason: "Fine." });
  expect(decided.status).toBe(200);
  expect(decided.body.approval).toMatchObject({
    status: "approved",
    decidedAt: expect.any(String),
    decisions: [{ by: { type: "key", id: apiKey.id, label: "Root" }, decision: "approve", reason: "Fine." }],
  });

  const done = await deleteApproved(api, key, { name: "greeting" }, id);
  expect(done.body).toMatchObject({ ok: true, result: { memory: { name: "greeting" } }, chargedCredits: 0 });
  expect((await invokeMemory(api, key, "get", { name: "greeting" })).status).toBe(404);
  expect(await listed(key, `?id=${id}`)).toMatchObject([
    { status: "consumed", consumedAt: expect.any(String) },
  ]);
});

test.each([
  ["an operation that needs none", { operationId: "put", input: { content: "a" } }, 400, "body.operationId"],
  [
    "an operation with an endpoint that needs none",
    { serviceId: "platform-api", operationId: "projects.create" },
    400,
    "body.operationId",
  ],
  ["input that the operation does not take", { input: { title: "a" } }, 400, "body.input"],
  ["no input", { input: undefined }, 400, "body.input"],
  ["too short a time", { expiresInSeconds: 59 }, 400, "body.expiresInSeconds"],
  ["too long a time", { expiresInSeconds: 604_801 }, 400, "body.expiresInSeconds"],
  ["no approver", { requiredApprovals: 0 }, 400, "body.requiredApprovals"],
  ["too many approvers", { requiredApprovals: 21 }, 400, "body.requiredApprovals"],
  ["too long a reason", { reason: "x".repeat(2001) }, 400, "body.reason"],
  ["an unknown operation", { operationId: "nothing" }, 404, undefined],
  ["an unknown service", { serviceId: "no-such-service" }, 404, undefined],
])("refuses to ask for %s", async (_, body, status, path) => {
  const { key } = await api.createRootKey();
  const refused = await askToDelete(api, key, { name: "a" }, body);
  expect(refused.status).toBe(status);
  expect(refused.body.error.issues?.[0].path).toBe(path);
  expect(await listed(key)).toEqual([]);
});

test("judges by the service that the body names, before anything that is wrong with it", async () => {
  const { key } = await api.createRootKey();
  const { key: elsewhere, apiKey } = await api.createChild(key, { allowedServices: ["platform-api"] });
  for (const serviceId of ["managed-memory", "no-such-service"]) {
    const refused = await askToDelete(api, elsewhere, 7, { serviceId });
    expect(refused.body.error).toMatchObject({
      status: 403,
      code: "service_not_allowed",
      check: "service",
      keyId: apiKey.id,
    });
  }
});

test("lists by status, kind and id, newest first, within the caller's project", async () => {
  const { key } = await api.createRootKey();
  const project = (await api.send("POST", "/v1/projects", { key, body: { name: "Shop" } })).body.project.id;
  const { key: bound } = await api.createChild(key, { projectId: project });
  const first = (await askToDelete(api, key, { name: "a" })).body.approval;
  const second = (await askToDelete(api, key, { name: "b" })).body.approval;
  const inProject = (await askToDelete(api, bound, { name: "a" })).body.approval;
  await decide(api, key, first, { decision: "reject" });
  const ids = async (secret: string, filter: string) =>
    (await listed(secret, filter)).map((approval: { id: string }) => approval.id);
  expect(await ids(key, "")).toEqual([inProject.id, second.id, first.id]);
  expect(await ids(key, "?status=pending")).toEqual([inProject.id, second.id]);
  expect(await ids(key, "?status=rejected")).toEqual([first.id]);
  expect(await ids(key, "?kind=transaction")).toEqual([]);
  expect(await ids(key, `?id=${second.id}`)).toEqual([second.id]);
  expect(await ids(key, "?id=nonsense")).toEqual([]);
  expect(await ids(bound, "")).toEqual([inProject.id]);
  expect((await decide(api, bound, second)).status).toBe(404);
});

test("decides only on the shown payload", async () => {
  const { key } = await api.createRootKey();
  const { approval } = (await askToDelete(api, key, { name: "a" })).body;
  const other = (await askToDelete(api, key, { name: "b" })).body.approval;
  const refused = await decide(api, key, { id: approval.id, payloadHash: other.payloadHash });
  expect(refused.body.error).toMatchObject({ status: 409, code: "state_conflict" });
  expect(await listed(key, `?id=${approval.id}`)).toMatchObject([{ status: "pending", decisions: [] }]);
});

test("uses an approval for nothing else than it is for", async () => {
  const { key } = await createPayingKey(api, 10);
  const project = (await api.send("POST", "/v1/projects", { key, body: { name: "Shop" } })).body.project.id;
  const approval = await approvedDeletion(api, key, "a");
  await invokeMemory(api, key, "put", { name: "b", content: "b" });
  const pending = (await askToDelete(api, key, { name: "a" })).body.approval;
  const stranger = await createPayingKey(api, 10);
  const foreign = await approvedDeletion(api, stranger.key, "a");
  const refusals = await Promise.all([
    deleteApproved(api, key, { name: "b" }, approval.id),
    deleteApproved(api, key, { name: "a" }, pending.id),
    deleteApproved(api, key, { name: "a" }, foreign.id),
    deleteApproved(api, key, { name: "a" }, newId("approval")),
    deleteApproved(api, key, { name: "a" }, "nonsense"),
    deleteApproved(api, key, { name: "a" }, approval.id, { headers: { "x-service-project": project } }),
    deleteApproved(api, key, { name: "a" }, approval.id, { headers: { "x-service-end-user": "someone" } }),
  ]);
  for (const refused of refusals)
    expect(refused.body.error).toMatchObject({ status: 403, code: "approval_required" });
  expect((await deleteApproved(api, key, { name: "a" }, approval.id)).status).toBe(200);
});

test("says that an approval has ended, whatever it was for", async () => {
  const { key } = await createPayingKey(api, 10);
  const consumed = await approvedDeletion(api, key, "a");
  await deleteApproved(api, key, { name: "a" }, consumed.id);
  const rejected = (await askToDelete(api, key, { name: "a" })).body.approval;
  await decide(api, key, rejected, { decision: "reject" });
  const unused = await approvedDeletion(api, key, "a");
  await lapse(unused.id);
  for (const [approval, status] of [
    [consumed, "consumed"],
    [rejected, "rejected"],
    [unused, "expired"],
  ] as const) {
    for (const name of ["a", "b"]) {
      const refused = await deleteApproved(api, key, { name }, approval.id);
      expect(refused.body.error).toMatchObject({
        status: 409,
        code: "state_conflict",
        message: `Approval ${approval.id} is ${status}. Ask for another one.`,
      });
    }
  }
});

test("shows an overdue approval as expired, and lets nobody decide it", async () => {
  const { key } = await api.createRootKey();
  const { approval } = (await askToDelete(api, key, { name: "a" }, { expiresInSeconds: 60 })).body;
  await lapse(approval.id);
  expect(await listed(key, "?status=expired")).toMatchObject([{ id: approval.id, status: "expired" }]);
  expect(await listed(key, "?status=pending")).toEqual([]);
  const late = await decide(api, key, approval);
  expect(late.body.error).toMatchObject({ status: 409, code: "state_conflict" });
});

test("gives an approval back when the effect fails", async () => {
  const { key } = await createPayingKey(api, 10);
  const { approval } = (await askToDelete(api, key, { name: "missing" })).body;
  expect(approval.summary).toBe('Delete the memory "missing" for good. There is no such memory now.');
  await decide(api, key, approval);
  expect((await deleteApproved(api, key, { name: "missing" }, approval.id)).status).toBe(404);
  await invokeMemory(api, key, "put", { name: "missing", content: "There now" });
  expect((await deleteApproved(api, key, { name: "missing" }, approval.id)).status).toBe(200);
});

test("is used by exactly one of twenty parallel calls, and replays for that one", async () => {
  const { key } = await createPayingKey(api, 10);
  const approval = await approvedDeletion(api, key, "a");
  const keys = Array.from({ length: 20 }, () => unique("delete"));
  const answers = await Promise.all(
    keys.map(async (idempotencyKey) => {
      const { status } = await deleteApproved(api, key, { name: "a" }, approval.id, { idempotencyKey });
      return { idempotencyKey, status };
    }),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(409)]);
  const idempotencyKey = defined(answers.find(({ status }) => status === 200)?.idempotencyKey);
  const again = await deleteApproved(api, key, { name: "a" }, approval.id, { idempotencyKey });
  expect(again.headers.get("idempotent-replayed")).toBe("true");
});

test("shows no invisible characters of customers' names", async () => {
  const { key } = await createPayingKey(api, 10);
  const name = "safe\u202egnp.exe\u200b";
  await invokeMemory(api, key, "put", { name, content: "a" });
  const { approval } = (await askToDelete(api, key, { name })).body;
  expect(approval.summary).toContain('"safe\\u{202e}gnp.exe\\u{200b}"');
});

test("seals the input of a strict key, and shows it to approvers", async () => {
  const { key } = await createPayingKey(api, 10, { privacyTier: "strict" });
  const approval = await approvedDeletion(api, key, "confidential words");
  const [row] = await db.execute<{ payload: unknown; sealed_payload: Uint8Array }>(
    sql`select payload, sealed_payload from approvals where id = ${uuidOf("approval", approval.id)}`,
  );
  expect(row?.payload).toBeNull();
  expect(Buffer.from(row?.sealed_payload ?? []).includes("confidential")).toBe(false);
  expect(await listed(key)).toMatchObject([{ payload: { input: { name: "confidential words" } } }]);
  expect((await deleteApproved(api, key, { name: "confidential words" }, approval.id)).status).toBe(200);
});

test("keeps no input for a private key once it is settled", async () => {
  const { key } = await createPayingKey(api, 10, { privacyTier: "private" });
  const approval = await approvedDeletion(api, key, "a");
  expect(await listed(key)).toMatchObject([{ payload: { input: { name: "a" } } }]);
  await deleteApproved(api, key, { name: "a" }, approval.id);
  expect(await listed(key)).toMatchObject([{ payload: null, status: "consumed" }]);
});

test("keeps an approval of an erased person, without their name and reason", async () => {
  const { key, apiKey, accountId } = await api.createRootKey();
  const { approval } = (await askToDelete(api, key, { name: "a" }, { reason: "Ada wants it." })).body;
  await decide(api, key, approval, { reason: "I am Ada." });
  await erasePerson(db, accountId, { key: apiKey.id });
  expect(await listed(key)).toMatchObject([
    {
      requestedBy: { type: "key", id: apiKey.id, label: "Erased" },
      reason: null,
      decisions: [{ by: { id: apiKey.id, label: "Erased" }, decision: "approve", reason: null }],
    },
  ]);
});

test("reads one approval as the list has it, with every key that lists it", async () => {
  const { key } = await createPayingKey(api, 10);
  const { approval } = (await askToDelete(api, key, { name: "greeting" })).body;
  const read = (secret: string) => api.send("GET", `/v1/approvals/${approval.id}`, { key: secret });
  expect((await read(key)).body.approval).toEqual(approval);
  await decide(api, key, approval);
  expect((await read(key)).body.approval).toEqual((await listed(key, `?id=${approval.id}`))[0]);
  const ada = await api.createChild(key, { endUser: "ada" });
  for (const other of [ada.key, (await api.createRootKey()).key])
    expect((await read(other)).body.error).toMatchObject({ status: 404, code: "not_found" });
});
