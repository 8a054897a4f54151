import { afterAll, describe, expect, test } from "vitest";
import { expireApprovals } from "#server/approvals/expire-approvals.ts";
import { startApi, unique } from "#server/testing/api.ts";
import { decide } from "#server/testing/approvals.ts";
import { startTestChain } from "#server/testing/chain.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { eventsKept, listen } from "#server/testing/events.ts";
import { type ExecutionKind, executionCalls } from "#server/testing/executions.ts";
import { startJobs } from "#server/testing/jobs.ts";
import { createWallet, startSending } from "#server/testing/transactions.ts";

// Guarantees of sends, signatures, swaps and orders alike, however they are quoted and executed.
const chain = await startTestChain();
const api = await startApi({ settings: { chains: [chain.settings] } });
const { db, client: sql } = api.platform.database;
const worker = await startJobs(api);
afterAll(worker.stop);

const engine = await startSending(api);
afterAll(engine.stop);

const { usd } = chain.settings.contracts;

const calls = executionCalls(usd);

interface Kind {
  kind: ExecutionKind;
  serviceId: string;
  summary: RegExp;
  /** The status in which it continues after the approval, and its final status. */
  goesOn: string;
  done: string;
  /** Its final status if it was not executed; `failure` if the status does not say why. */
  failed: string;
  rejected: { status: string; failure?: object };
  expired: { status: string; failure?: object };
}

const KINDS: Kind[] = [
  {
    kind: "transaction",
    serviceId: "managed-wallets",
    summary: /^Send 60 USD to 0x70997970C51812dc3A010C7d01b50e0d17dc79C8, 20% of today's cap\.$/,
    goesOn: "reserved",
    done: "confirmed",
    failed: "failed",
    rejected: { status: "rejected" },
    expired: { status: "expired" },
  },
  {
    kind: "signature",
    serviceId: "managed-wallets",
    summary: /^Sign the message "Release the funds\."\.$/,
    goesOn: "signed",
    done: "signed",
    failed: "rejected",
    rejected: { status: "rejected" },
    expired: { status: "expired" },
  },
  {
    kind: "swap",
    serviceId: "universal-swaps",
    summary: /^Swap 60 USD for at least 0\.\d+ ETH on eip155:31337, 20% of today's cap\.$/,
    goesOn: "pending",
    done: "completed",
    failed: "failed",
    rejected: {
      status: "failed",
      failure: { code: "approval_rejected", message: "It was not approved." },
    },
    expired: {
      status: "failed",
      failure: { code: "approval_expired", message: "Nobody approved it in time." },
    },
  },
  {
    kind: "order",
    serviceId: "managed-trading",
    summary: /^Buy 0\.02 ETH for at most \d+\.\d+ USD each, by a market order, (19|20|21)% of today's cap\.$/,
    goesOn: "pending",
    done: "filled",
    failed: "rejected",
    rejected: { status: "rejected" },
    expired: { status: "expired" },
  },
];

const APPROVED = { dailyLimitUsd: "300", approval: { always: true } };

/**
 * Creates a wallet, a key that requests and a key that may decide; the latter is bound to the wallet's project, if any.
 */
async function makeWallet(policy: Record<string, unknown>, { inProject = false } = {}) {
  const root = await createPayingKey(api, 100);
  await listen(api, root.accountId);
  const named = { key: root.key, body: { name: "Shop" } };
  const bound = inProject
    ? { projectId: (await api.send("POST", "/v1/projects", named)).body.project.id }
    : {};
  const [asker, decider] = [await api.createChild(root.key), await api.createChild(root.key, bound)];
  const wallet = await createWallet(api, chain, decider.key, { eth: "1", usd: "100", policy });
  const change = (changes: object) =>
    api.send("PATCH", `/v1/wallets/${wallet.id}/policy`, {
      key: root.key,
      body: { ifVersion: 1, ...changes },
    });
  return { ...root, asker, decider, wallet, change };
}

type Made = Awaited<ReturnType<typeof makeWallet>>;

/** Quotes for a wallet; returns the call that executes the quote, again under the same idempotency key if repeated. */
async function quoted({ kind }: Kind, { asker, wallet }: Made) {
  const { key } = asker;
  const { path, quotePath, body } = calls[kind];
  const { quote } = await api.mustSend(201, "POST", quotePath(wallet.id), { key, body: body(wallet.id) });
  const quoteId = quote.id;
  const idempotencyKey = unique("execute");
  return (again: { idempotencyKey?: string } = {}) =>
    api.send("POST", path(wallet.id), { key, idempotencyKey, ...again, body: { quoteId } });
}

/** Creates an execution that waits for its approval. */
async function waiting(kind: Kind, options = {}) {
  const made = await makeWallet(APPROVED, options);
  const execute = await quoted(kind, made);
  const first = await execute();
  const { body } = await api.send("GET", "/v1/approvals?status=pending", { key: made.decider.key });
  return { ...made, execute, first, resource: first.body[kind.kind], approval: body.approvals[0] };
}

type Waiting = Awaited<ReturnType<typeof waiting>>;

/** Returns a resource's events, in order. */
async function eventsOf({ accountId, resource }: Pick<Waiting, "accountId" | "resource">) {
  const events = await eventsKept(api, accountId);
  const resources = events.flatMap(({ data }) => Object.values(data) as { id: string }[]);
  return resources.filter(({ id }) => id === resource.id) as {
    id: string;
    status: string;
    failure: unknown;
  }[];
}

/** Returns the status and failure in the first event after a resource began to wait. */
async function next(asked: Waiting) {
  await expect.poll(async () => (await eventsOf(asked)).length, { interval: 30 }).toBeGreaterThan(1);
  const [, after] = await eventsOf(asked);
  return { status: after?.status, failure: after?.failure };
}

/** Expects that the ended execution has cost nothing and reserves nothing. */
async function expectNothingKept({ key, wallet }: Waiting) {
  const { body } = await api.send("GET", `/v1/wallets/${wallet.id}/balances`, { key });
  expect(body.balances.map(({ reserved }: { reserved: string }) => Number(reserved))).toEqual(
    body.balances.map(() => 0),
  );
  const { balance } = (await api.send("GET", "/v1/credits/balance", { key })).body;
  expect(balance).toMatchObject({ availableCredits: 100, reservedCredits: 0 });
  const [row] = await sql`select coalesce(sum(used_usd), 0)::text as used from cap_days d join wallets w
    on (w.account_id, w.id) = (d.account_id, d.wallet_id) where w.address = ${wallet.address}`;
  expect(Number(row?.used)).toBe(0);
}

describe.each(KINDS)("a quoted $kind", (kind) => {
  test("shows an approver its content, and continues once it is approved", async () => {
    const asked = await waiting(kind);
    expect([asked.first.status, asked.resource]).toMatchObject([
      202,
      { status: "awaiting_approval", approvalId: asked.approval.id },
    ]);
    expect(asked.approval).toMatchObject({
      kind: kind.kind,
      subject: { serviceId: kind.serviceId, id: asked.resource.id },
      summary: expect.stringMatching(kind.summary),
      reason: "The policy has everything approved.",
      payload: { walletId: asked.wallet.id },
      requestedBy: { type: "key", id: asked.asker.apiKey.id },
    });
    expect((await decide(api, asked.decider.key, asked.approval)).status).toBe(200);
    expect(await next(asked)).toEqual({ status: kind.goesOn, failure: null });
    const { body } = await api.send("GET", `/v1/approvals?id=${asked.approval.id}`, { key: asked.key });
    expect(body.approvals).toMatchObject([{ status: "consumed" }]);
    await expect.poll(async () => (await eventsOf(asked)).at(-1)?.status, { interval: 30 }).toBe(kind.done);
  });

  test("is made once, however often its execution is repeated", async () => {
    const asked = await waiting(kind);
    const again = await asked.execute();
    expect([again.status, again.body[kind.kind].id]).toEqual([202, asked.resource.id]);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    const other = await asked.execute({ idempotencyKey: unique("execute") });
    expect([other.status, other.body.error.code]).toEqual([409, "state_conflict"]);
    const { body } = await api.send("GET", "/v1/approvals", { key: asked.key });
    expect(body.approvals).toHaveLength(1);
  });

  test("ends where its approval is rejected", async () => {
    const asked = await waiting(kind);
    await decide(api, asked.decider.key, asked.approval, { decision: "reject" });
    expect(await next(asked)).toEqual({ failure: null, ...kind.rejected });
    await expectNothingKept(asked);
  });

  test("ends where nobody approves it in time", async () => {
    const asked = await waiting(kind);
    await sql`update approvals set expires_at = now() where status = 'pending'`;
    await expireApprovals(db);
    expect(await next(asked)).toEqual({ failure: null, ...kind.expired });
    await expectNothingKept(asked);
  });

  test("ends where the caller may not do so any more", async () => {
    const asked = await waiting(kind);
    await api.send("DELETE", `/v1/api-keys/${asked.asker.apiKey.id}`, { key: asked.key });
    await decide(api, asked.decider.key, asked.approval);
    const message = "Who asked for it may not do so any more (api_key_revoked).";
    expect(await next(asked)).toEqual({ status: kind.failed, failure: { code: "api_key_revoked", message } });
    await expectNothingKept(asked);
  });

  test("ends where the policy denies it by then", async () => {
    const asked = await waiting(kind);
    await asked.change({ allowedNetworks: [], signatures: { messages: false } });
    await decide(api, asked.decider.key, asked.approval);
    expect(await next(asked)).toMatchObject({ status: kind.failed, failure: { code: "policy_denied" } });
    await expectNothingKept(asked);
  });

  test("ends where its wallet is frozen by then", async () => {
    const asked = await waiting(kind);
    await sql`update wallets set status = 'frozen' where address = ${asked.wallet.address}`;
    await decide(api, asked.decider.key, asked.approval);
    const failure = { code: "policy_denied", message: "The wallet is frozen." };
    expect(await next(asked)).toEqual({ status: kind.failed, failure });
    await expectNothingKept(asked);
  });

  test("is refused where the policy denies it, and its quote stays as it is", async () => {
    const made = await makeWallet({ allowedNetworks: [], signatures: { messages: false } });
    const execute = await quoted(kind, made);
    const refused = await execute();
    expect([refused.status, refused.body.error.code]).toEqual([403, "policy_denied"]);
    await made.change({ allowedNetworks: null, signatures: { messages: true }, ...APPROVED });
    const executed = await execute();
    expect([executed.status, executed.body[kind.kind].status]).toEqual([202, "awaiting_approval"]);
  });

  test("is approved within its wallet's project, whichever key asked for it", async () => {
    const asked = await waiting(kind, { inProject: true });
    expect(asked.approval).toMatchObject({
      projectId: asked.wallet.projectId,
      subject: { id: asked.resource.id },
    });
    await decide(api, asked.decider.key, asked.approval);
    expect(await next(asked)).toEqual({ status: kind.goesOn, failure: null });
  });
});

describe.each(KINDS.filter(({ kind }) => kind !== "signature"))("a quoted $kind", (kind) => {
  test("ends where the network may not take so much for it by then", async () => {
    const asked = await waiting(kind);
    await asked.change({ maxNetworkFeeUsd: "0.000001" });
    await decide(api, asked.decider.key, asked.approval);
    const failed = async () => (await eventsOf(asked)).at(-1);
    await expect.poll(async () => (await failed())?.failure, { interval: 30 }).not.toBeNull();
    expect(await failed()).toMatchObject({ status: kind.failed, failure: { code: "policy_denied" } });
    await expectNothingKept(asked);
  });
});
