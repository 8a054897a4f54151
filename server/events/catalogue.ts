import { z } from "zod";
import { Approval } from "#server/approvals/schema.ts";
import { Artifact } from "#server/artifacts/schema.ts";
import { keysOf } from "#server/base/keys-of.ts";
import { Connection } from "#server/connections/schema.ts";
import { Balance } from "#server/credits/schema.ts";
import { Database } from "#server/databases/schema.ts";
import { Transfer } from "#server/databases/transfers/schema.ts";
import { File } from "#server/files/schema.ts";
import { APP_ENDS, ApiKey } from "#server/keys/schema.ts";
import { typeId } from "#server/operation/fields.ts";
import { Project } from "#server/projects/schema.ts";
import { Run } from "#server/runs/schema.ts";
import { isPlatforms } from "#server/sent-events/schema.ts";
import { Swap } from "#server/swaps/schema.ts";
import { Order } from "#server/trading/schema.ts";
import { Trigger } from "#server/triggers/schema.ts";
import { Wallet } from "#server/wallets/schema.ts";
import { Signature } from "#server/wallets/signatures/schema.ts";
import { Transaction } from "#server/wallets/transactions/schema.ts";
import { Webhook } from "#server/webhooks/schema.ts";
import { type EventDeclaration, eventsOf } from "./event.ts";

/** Every event that a webhook can receive. */
export const EVENTS = {
  ...eventsOf(
    "api_key",
    { scope: "api_keys:manage", ownBranch: true, data: z.object({ apiKey: ApiKey }) },
    {
      created: "A key was created.",
      expiring: "A key expires within a week, or within the last quarter of a shorter lifetime.",
      revoked: "A key was revoked with all its descendants.",
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
            "Why the access ended: a person or the app `revoked` it, it `expired`, a code or a refresh token was used twice (`token_reused`), or the person who connected it left the account (`membership_ended`).",
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
      rotated: "A connection's secret was replaced.",
      disabled: "A connection was disabled.",
      broken: "The outside system refuses a connection's secret.",
      recovered: "A broken connection works again.",
      deleted: "A connection was deleted, and its secret with it.",
    },
  ),
  ...eventsOf(
    "approval",
    { scope: "approvals:read", data: z.object({ approval: Approval }) },
    {
      requested: "Somebody asked for an approval.",
      decided: "An approval got all the approvals it needs, or was rejected.",
      expired: "An approval expired before it was decided, or before it was used.",
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
      awaiting_approval: "A run waits for an approval.",
      cancelling: "Cancellation of a run was requested.",
      cancelled: "A run was cancelled.",
      succeeded: "A run has succeeded.",
      failed: "A run has failed.",
      expired: "A run did not end before its deadline.",
    },
  ),
  ...eventsOf(
    "credits",
    { scope: "credits:read", accountWide: true, data: z.object({ balance: Balance }) },
    {
      low: "A charge took the balance below its threshold.",
      exhausted: "A charge used up the balance.",
    },
  ),
  ...eventsOf(
    "credits",
    {
      scope: "credits:read",
      accountWide: true,
      data: z.object({
        balance: Balance,
        creditedCredits: z.int().describe("The number of added credits."),
        receiptId: typeId("receipt").describe("The id of the receipt in the ledger."),
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
      awaiting_approval: "A swap waits for an approval.",
      pending: "A swap was created or approved, and is about to be sent.",
      source_submitted: "The transaction that sends the input was broadcast.",
      source_confirmed: "The transaction that sends the input was mined.",
      filling: "The bridge has received the input; the relayer will deliver the output on the other chain.",
      completed: "A swap has delivered its output; `received` has the amount.",
      refunding: "The output was not delivered in time; the input is being refunded.",
      refunded: "The input of a cross-chain swap was refunded to its wallet.",
      failed: "A swap has ended without an exchange.",
    },
  ),
  ...eventsOf(
    "trading.order",
    { scope: "trading:read", serviceId: "managed-trading", data: z.object({ order: Order }) },
    {
      pending: "An order is about to be executed.",
      awaiting_approval: "An order waits for an approval.",
      open: "An order waits for its price.",
      partially_filled: "A part of an order was filled; the rest waits.",
      filled: "All of an order was filled.",
      cancelled: "An order ended before all of it was filled.",
      expired: "An order, or the approval it waited for, expired.",
      rejected: "An order was refused, or can't be executed; `failure` says why.",
    },
  ),
  ...eventsOf(
    "trigger",
    { scope: "runs:read", serviceId: "managed-triggers", data: z.object({ trigger: Trigger }) },
    {
      paused: "A trigger was paused; `pausedReason` says why.",
      failed:
        "A scheduled time of a trigger passed without a run; if the run was refused, `lastError` says why.",
    },
  ),
  ...eventsOf(
    "wallet",
    { scope: "wallets:read", serviceId: "managed-wallets", data: z.object({ wallet: Wallet }) },
    { created: "A wallet was created.", "policy.updated": "A wallet's policy was changed." },
  ),
  ...eventsOf(
    "wallet.signature",
    { scope: "wallets:sign", serviceId: "managed-wallets", data: z.object({ signature: Signature }) },
    {
      awaiting_approval: "A signature waits for an approval.",
      signed: "A wallet has signed; the event contains the signature.",
      rejected: "A signature was rejected, by an approver or by the wallet's policy.",
      expired: "A signature expired before it was decided.",
    },
  ),
  ...eventsOf(
    "wallet.deposit",
    {
      scope: "wallets:read",
      serviceId: "managed-wallets",
      data: z.object({ transaction: Transaction }),
    },
    { confirmed: "An incoming transfer to a wallet was confirmed." },
  ),
  ...eventsOf(
    "wallet.transaction",
    {
      scope: "wallets:read",
      serviceId: "managed-wallets",
      data: z.object({ transaction: Transaction }),
    },
    {
      awaiting_approval: "A transaction waits for an approval.",
      reserved: "A transaction was accepted and will be signed and sent.",
      signed: "A transaction was signed.",
      broadcast:
        "A transaction was sent to its chain, or a reorganisation has returned it to be mined again.",
      confirmed: "A transaction was confirmed.",
      failed: "A transaction failed; `failure` says why.",
      rejected: "A transaction was rejected by an approver.",
      cancelled: "A transaction was cancelled and can no longer be mined.",
      expired: "A transaction expired before it was signed.",
    },
  ),
  ...eventsOf(
    "webhook",
    { scope: "webhooks:read", ownBranch: true, data: z.object({ webhook: Webhook }) },
    {
      failing: "A webhook has had no successful delivery for two days; after five days it is disabled.",
      disabled: "A webhook was disabled; `disabledReason` says why.",
      test: "A test from the console. Only the tested webhook receives it, with sequence 0.",
    },
  ),
} satisfies Record<string, EventDeclaration>;

export type EventType = keyof typeof EVENTS;

/** Every event's name. */
export const EVENT_TYPES = keysOf(EVENTS);
export const EVENT_ENTRIES = EVENT_TYPES.map((type): [EventType, EventDeclaration] => [type, EVENTS[type]]);

/**
 * Returns a message for a name in the platform's own namespaces that is not one of its events; null for its events
 * and for other names.
 */
export function unknownEvent(name: string): string | null {
  const isKnown = !isPlatforms(name) || EVENT_TYPES.some((type) => type === name);
  return isKnown ? null : `The platform has no event ${JSON.stringify(name)}.`;
}
