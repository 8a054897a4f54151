import { z } from "zod";
import { Approval } from "#server/approvals/schema.ts";
import { Artifact } from "#server/artifacts/schema.ts";
import { Connection } from "#server/connections/schema.ts";
import { Balance } from "#server/credits/schema.ts";
import { Database } from "#server/databases/schema.ts";
import { Transfer } from "#server/databases/transfers/schema.ts";
import { File } from "#server/files/schema.ts";
import { APP_ENDS, ApiKey } from "#server/keys/schema.ts";
import { keysOf } from "#server/keys-of.ts";
import { typeId } from "#server/operation/fields.ts";
import { Project } from "#server/projects/schema.ts";
import { Run } from "#server/runs/schema.ts";
import { Swap } from "#server/swaps/schema.ts";
import { Order } from "#server/trading/schema.ts";
import { Trigger } from "#server/triggers/schema.ts";
import { Wallet } from "#server/wallets/schema.ts";
import { Signature } from "#server/wallets/signatures/schema.ts";
import { Transaction } from "#server/wallets/transactions/schema.ts";
import { Webhook } from "#server/webhooks/schema.ts";
import { type EventFacts, eventsOf } from "./event.ts";

/** Every event that a webhook can get. */
export const EVENTS = {
  ...eventsOf(
    "api_key",
    { scope: "api_keys:manage", ownBranch: true, data: z.object({ apiKey: ApiKey }) },
    {
      created: "A key was made.",
      expiring: "A key expires within a week, or within the last quarter of a shorter life.",
      revoked: "A key was revoked, and with it every key below it.",
    },
  ),
  ...eventsOf(
    "app",
    { scope: "api_keys:manage", ownBranch: true, data: z.object({ apiKey: ApiKey }) },
    { connected: "A person has connected an app; `apiKey.app` says which." },
  ),
  ...eventsOf(
    "app",
    {
      scope: "api_keys:manage",
      ownBranch: true,
      data: z.object({
        apiKey: ApiKey,
        reason: z
          .enum(APP_ENDS)
          .describe(
            "Why: somebody or the app itself `revoked` it, it has `expired`, a code or a refresh token came twice (`token_reused`), or who connected it left the account (`membership_ended`).",
          ),
      }),
    },
    { ended: "A connected app's access has ended." },
  ),
  ...eventsOf(
    "project",
    { scope: "projects:read", data: z.object({ project: Project }) },
    {
      created: "A project was created.",
      updated: "A project was changed, or restored.",
      archived: "A project was archived.",
    },
  ),
  ...eventsOf(
    "connection",
    { scope: "connections:read", data: z.object({ connection: Connection }) },
    {
      created: "A connection was created.",
      rotated: "A connection has another secret.",
      disabled: "A connection was disabled.",
      broken: "The outside system refuses a connection's secret.",
      recovered: "A connection that was broken has worked again.",
      deleted: "A connection was deleted, and its secret with it.",
    },
  ),
  ...eventsOf(
    "approval",
    { scope: "approvals:read", data: z.object({ approval: Approval }) },
    {
      requested: "Somebody asked for an approval.",
      decided: "An approval was approved by as many as it needs, or rejected.",
      expired: "An approval ran out before it was decided, or, approved, before it was used.",
    },
  ),
  ...eventsOf(
    "file",
    { scope: "files:read", data: z.object({ file: File }) },
    { created: "A file was uploaded.", deleted: "A file was deleted." },
  ),
  ...eventsOf(
    "artifact",
    { scope: "artifacts:read", data: z.object({ artifact: Artifact }) },
    { created: "A run has produced an artifact." },
  ),
  ...eventsOf(
    "run",
    { scope: "runs:read", data: z.object({ run: Run }) },
    {
      queued: "A run was created, or waits for its next attempt.",
      running: "A worker has taken a run.",
      awaiting_approval: "A run waits for people to decide.",
      cancelling: "Somebody asked for a run's end.",
      cancelled: "A run was cancelled.",
      succeeded: "A run has done what it was created for.",
      failed: "A run has ended without a result.",
      expired: "A run did not end in its time.",
    },
  ),
  ...eventsOf(
    "credits",
    { scope: "credits:read", accountWide: true, data: z.object({ balance: Balance }) },
    {
      low: "A charge took the balance below its threshold.",
      exhausted: "A charge took the last credit.",
    },
  ),
  ...eventsOf(
    "credits",
    {
      scope: "credits:read",
      accountWide: true,
      data: z.object({
        balance: Balance,
        creditedCredits: z.int().describe("What was added."),
        receiptId: typeId("receipt").describe("The entry of the ledger."),
      }),
    },
    { topped_up: "Credits were bought or granted." },
  ),
  ...eventsOf(
    "database",
    {
      scope: "databases:read",
      serviceId: "managed-database",
      accountWide: true,
      data: z.object({ database: Database }),
    },
    { provisioned: "The account got its database.", deprovisioned: "The account's database was removed." },
  ),
  ...eventsOf(
    "database.transfer",
    {
      scope: "databases:read",
      serviceId: "managed-database",
      accountWide: true,
      data: z.object({ transfer: Transfer }),
    },
    { completed: "An export is ready, or an import was applied.", failed: "An export or an import failed." },
  ),
  ...eventsOf(
    "swap",
    { scope: "wallets:read", serviceId: "universal-swaps", data: z.object({ swap: Swap }) },
    {
      awaiting_approval: "A swap waits for people to decide.",
      pending: "A swap was created or approved, and is about to be sent.",
      source_submitted: "The transaction that gives was sent to its chain.",
      source_confirmed: "The chain has the transaction that gives.",
      filling: "The bridge has the input; the relayer is to deliver on the other chain.",
      completed: "A swap has delivered; `received` says how much.",
      refunding: "Nobody delivered in time: the input is being taken back.",
      refunded: "The input of a swap across chains is back in its wallet.",
      failed: "A swap has ended without an exchange.",
    },
  ),
  ...eventsOf(
    "trading.order",
    { scope: "trading:read", serviceId: "managed-trading", data: z.object({ order: Order }) },
    {
      pending: "An order is about to be executed.",
      awaiting_approval: "An order waits for people to decide.",
      open: "An order waits for its price.",
      partially_filled: "A part of an order was filled; the rest waits.",
      filled: "All of an order was filled.",
      cancelled: "An order ended before all of it was filled.",
      expired: "An order, or the approval that it waited for, ran out.",
      rejected: "An order was refused, or can't be executed; `failure` says why.",
    },
  ),
  ...eventsOf(
    "trigger",
    { scope: "runs:read", serviceId: "managed-triggers", data: z.object({ trigger: Trigger }) },
    {
      paused: "A trigger was paused; `pausedReason` says why.",
      failed:
        "A time of a trigger has passed without a run; `lastError` says why, where the run was refused.",
    },
  ),
  ...eventsOf(
    "wallet",
    { scope: "wallets:read", serviceId: "managed-wallets", data: z.object({ wallet: Wallet }) },
    { created: "A wallet was created.", "policy.updated": "What a wallet may do was changed." },
  ),
  ...eventsOf(
    "wallet.signature",
    { scope: "wallets:sign", serviceId: "managed-wallets", data: z.object({ signature: Signature }) },
    {
      awaiting_approval: "A signature waits for people to decide.",
      signed: "A wallet has signed; the signature is in it.",
      rejected: "A signature was rejected, by an approver or by the policy of that time.",
      expired: "Nobody decided on a signature in its time.",
    },
  ),
  ...eventsOf(
    "wallet.deposit",
    {
      scope: "wallets:read",
      serviceId: "managed-wallets",
      data: z.object({ transaction: Transaction }),
    },
    { confirmed: "Somebody has sent something to a wallet, and it has arrived." },
  ),
  ...eventsOf(
    "wallet.transaction",
    {
      scope: "wallets:read",
      serviceId: "managed-wallets",
      data: z.object({ transaction: Transaction }),
    },
    {
      awaiting_approval: "A transaction waits for people to decide.",
      reserved: "A transaction is to be signed and sent.",
      signed: "A transaction was signed.",
      broadcast: "The chain has a transaction, or a reorganisation has put it back to be mined again.",
      confirmed: "The chain has carried a transaction out.",
      failed: "A transaction was not carried out; `failure` says why.",
      rejected: "People have rejected a transaction.",
      cancelled: "A transaction was kept from ever being carried out.",
      expired: "A transaction's time was over before it was signed.",
    },
  ),
  ...eventsOf(
    "webhook",
    { scope: "webhooks:read", ownBranch: true, data: z.object({ webhook: Webhook }) },
    {
      failing: "A webhook has had no success for two days; after five it is disabled.",
      disabled: "A webhook was disabled; `disabledReason` says why.",
      test: "Somebody asked for a test in the console. It comes to the tested webhook alone, with sequence 0.",
    },
  ),
} satisfies Record<string, EventFacts>;

export type EventType = keyof typeof EVENTS;

/** Every event's name. */
export const EVENT_TYPES = keysOf(EVENTS);
export const EVENT_ENTRIES = EVENT_TYPES.map((type): [EventType, EventFacts] => [type, EVENTS[type]]);
