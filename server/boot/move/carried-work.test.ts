import { expect, test } from "vitest";
import { defined } from "#server/base/defined.ts";
import { ALL_SCOPES, type Answered, clientOf, unique } from "#server/testing/api.ts";
import { decide } from "#server/testing/approvals.ts";
import { startCells } from "#server/testing/cells/start-cells.ts";
import { startTestChain } from "#server/testing/chain.ts";
import { onCleanup } from "#server/testing/cleanup.ts";
import { signUpAndIn } from "#server/testing/console.ts";
import { invokeMemory } from "#server/testing/credits.ts";
import { type ExecutionKind, executionCalls } from "#server/testing/executions.ts";
import { startMailServer } from "#server/testing/mail-server.ts";
import { connectApp } from "#server/testing/oauth.ts";
import { openStream } from "#server/testing/streams.ts";
import { balanceOf } from "#server/testing/swaps.ts";
import { startTenantCluster } from "#server/testing/tenants.ts";
import {
  createWallet,
  execute,
  PLAIN,
  quote,
  RECIPIENT,
  send,
  transactionWith,
} from "#server/testing/transactions.ts";
import { endOfTransfer, startTransfer } from "#server/testing/transfers.ts";

const chain = await startTestChain();
const tenants = await startTenantCluster();
onCleanup(tenants.drop);
const mail = await startMailServer();
// No worker runs in the first cell, so that all jobs are still queued when their account moves.
const cells = await startCells([chain.settings], { smtp: mail.url, tenants: tenants.url(), idle: "A1" });
onCleanup(() => cells.stop());
const { a, b, origin } = cells;
const api = { ...clientOf(origin), origin };
const { usd } = chain.settings.contracts;
const calls = executionCalls(usd);

async function createAccount() {
  const person = await signUpAndIn({ origin: a.origin, platform: { settings: { baseUrl: a.origin } } });
  const made = await person.mutate("apiKeys.create", { label: "Root", scopes: ALL_SCOPES });
  const key: string = made.data.secret;
  const createChild = async (limits: object): Promise<string> => {
    const body = { label: "Child", scopes: ALL_SCOPES, limits };
    return (await api.mustSend(201, "POST", "/v1/api-keys", { key, body })).secret;
  };
  return { ...person, key, createChild };
}

/** Returns the tasks of the account's jobs in a cell. */
const jobsIn = async ({ database }: typeof a, accountId: string): Promise<string[]> => {
  const jobs = await database.client<{ task: string }[]>`
    select t.identifier as task from graphile_worker._private_jobs j
    join graphile_worker._private_tasks t on t.id = j.task_id where j.payload ->> 'accountId' = ${accountId} order by 1`;
  return jobs.map(({ task }) => task);
};

interface Execution {
  name: ExecutionKind;
  /** How it is read: at its own address, or by a repeat of the call. */
  shownBy: "address" | "repeat";
  /** Its last status. */
  done: string;
}

/** Everything that waits for an approval and then continues by a job. */
const EXECUTIONS: Execution[] = [
  { name: "transaction", shownBy: "address", done: "confirmed" },
  { name: "signature", shownBy: "repeat", done: "signed" },
  { name: "swap", shownBy: "address", done: "completed" },
  { name: "order", shownBy: "address", done: "filled" },
];

test("jobs that wait in the old cell run in the new one, each once", async () => {
  const { accountId, email, key, mutate, query } = await createAccount();
  const policy = { approval: { always: true, initiatorMayApprove: true } };
  const wallet = await createWallet(api, chain, key, { eth: "1", usd: "1000", policy });
  const before = await balanceOf(chain, usd, RECIPIENT);
  /** Requests an execution, which then waits for its approval; returns a call that returns it. */
  const request = async ({ name, shownBy }: Execution) => {
    const { path, quotePath, body } = calls[name];
    const asked = await api.mustSend(201, "POST", quotePath(wallet.id), { key, body: body(wallet.id) });
    const quoted = { key, idempotencyKey: unique("execute"), body: { quoteId: asked.quote.id } };
    const { id } = (await api.mustSend(202, "POST", path(wallet.id), quoted))[name];
    return {
      address: () => api.send("GET", `${path(wallet.id)}/${id}`, { key }),
      repeat: () => api.send("POST", path(wallet.id), quoted),
    }[shownBy];
  };
  const shown: (() => Promise<Answered>)[] = [];
  for (const execution of EXECUTIONS) shown.push(await request(execution));
  const { approvals } = await api.mustSend(200, "GET", "/v1/approvals?status=pending", { key });
  for (const approval of approvals) expect((await decide(api, key, approval)).status).toBe(200);
  // This one stays undecided, so that there is something to mail.
  await request(defined(EXECUTIONS[1]));
  const invited = `${unique("invited")}@example.test`;
  expect((await mutate("invitations.create", { email: invited, role: "viewer" })).status).toBe(200);
  const app = await connectApp({ origin: a.origin }, { resource: "/v1" });
  await app.redeem(await app.allow({ mutate, query }, { scopes: ["projects:read"] }));
  await api.mustSend(201, "POST", "/v1/databases/account", { key, body: {} });
  const transfer = await startTransfer(api, key, { direction: "export" });
  expect(await jobsIn(a, accountId)).toEqual([
    "advanceOrder",
    "advanceSignature",
    "advanceSwap",
    "advanceTransaction",
    "carryTransfer",
    "mailAppConnected",
    "mailApprovals",
    "mailInvitation",
  ]);
  expect(mail.mails).toEqual([]);

  const { jobs } = await cells.move(accountId, a, b, "--compare", "yes");
  expect(jobs).toBe(8);
  for (const [nth, { name, done }] of EXECUTIONS.entries()) {
    const status = async () => (await defined(shown[nth])()).body[name]?.status;
    await expect.poll(status).toBe(done);
  }
  expect((await endOfTransfer(api, key, transfer)).status).toBe("ready");
  await expect.poll(() => jobsIn(b, accountId)).toEqual([]);
  expect((await balanceOf(chain, usd, RECIPIENT)) - before).toBe(60_000_000n);
  const subjects = mail.mails.map(({ to, text }) => [to, /^Subject: (.*)$/m.exec(text)?.[1]?.trim()]);
  expect(subjects.sort()).toEqual(
    [
      [[invited], "Join Ada on Managed Services"],
      [[email], "1 approval waits for your decision on Managed Services"],
      [[email], "An app was connected to Managed Services"],
    ].sort(),
  );
  await cells.forget(accountId, a, b);
  expect(await jobsIn(a, accountId)).toEqual([]);
});

test("limits of a day go on where they were, and count nothing twice", async () => {
  const { accountId, key, createChild } = await createAccount();
  const spender = await createChild({ "services.invoke": { creditsPerDay: 5 } });
  const put = () => invokeMemory(api, spender, "put", { content: "kept" });
  for (let nth = 0; nth < 3; nth++) expect((await put()).status).toBe(200);
  const policy = { dailyLimitUsd: "10" };
  const wallet = await createWallet(api, chain, key, { eth: "1", usd: "100", policy });
  const worth = (amount: string) => ({ ...PLAIN, asset: usd, amount });
  const sent = [await send(api, key, wallet.id, worth("6"))];
  const quoted = await quote(api, key, wallet.id, worth("6"));

  await cells.move(accountId, a, b, "--compare", "yes");
  for (let nth = 0; nth < 2; nth++) expect((await put()).status).toBe(200);
  expect((await put()).body.error.limit).toMatchObject({ kind: "creditsPerDay", limit: 5 });
  await transactionWith(api, key, defined(sent[0]), "confirmed");
  expect((await execute(api, key, wallet.id, { quoteId: quoted.id })).body.error.code).toBe("policy_denied");
  sent.push(await send(api, key, wallet.id, worth("4")));
  await transactionWith(api, key, defined(sent[1]), "confirmed");
  const rest = await quote(api, key, wallet.id, worth("0.01"));
  expect((await execute(api, key, wallet.id, { quoteId: rest.id })).body.error.code).toBe("policy_denied");

  await cells.forget(accountId, a, b);
  await cells.move(accountId, b, a, "--compare", "yes");
  expect((await put()).body.error.limit).toMatchObject({ kind: "creditsPerDay", limit: 5 });
  const { balance } = await api.mustSend(200, "GET", "/v1/credits/balance", { key });
  expect(balance).toMatchObject({ availableCredits: 10_000 - 5 - 2 * 5, reservedCredits: 0 });
});

test("maxConcurrent has all of its places in the new cell, and no more", async () => {
  const { accountId, key, createChild } = await createAccount();
  const reader = await createChild({ "runs.read": { maxConcurrent: 2 } });
  const steps = [{ id: "pause", type: "wait", seconds: 3600 }];
  const body = {
    serviceId: "managed-workflows",
    operationId: "execute",
    input: { workflow: { name: "Waits", steps } },
  };
  const { run } = await api.mustSend(202, "POST", "/v1/runs", { key, body });
  const path = `/v1/runs/${run.id}`;
  const read = () => api.send("GET", path, { key: reader });
  const open = () => openStream(`${origin}${path}/events`, { key: reader });
  const full = async () =>
    expect((await read()).body.error).toMatchObject({
      code: "limit_exhausted",
      limit: { kind: "maxConcurrent", limit: 2 },
    });
  // They are still open when the account moves.
  expect([(await open()).status, (await open()).status]).toEqual([200, 200]);
  await full();

  await cells.move(accountId, a, b, "--compare", "yes");
  expect((await read()).status).toBe(200);
  const streams = [await open(), await open()];
  expect(streams.map(({ status }) => status)).toEqual([200, 200]);
  await full();
  streams[0]?.leave();
  await expect.poll(async () => (await read()).status).toBe(200);
});
