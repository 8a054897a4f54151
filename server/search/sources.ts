import { type SQL, sql } from "drizzle-orm";
import type { PgColumn, PgTable, PgView } from "drizzle-orm/pg-core";
import { approvals } from "#db/schema/approvals.ts";
import { artifacts } from "#db/schema/artifacts.ts";
import { auditEvents } from "#db/schema/audit.ts";
import { connections } from "#db/schema/connections.ts";
import { contacts } from "#db/schema/contacts.ts";
import { databaseTransfers } from "#db/schema/databases.ts";
import { files } from "#db/schema/files.ts";
import { apiKeys } from "#db/schema/keys.ts";
import { projects } from "#db/schema/projects.ts";
import { runs } from "#db/schema/runs.ts";
import { signatures } from "#db/schema/signatures.ts";
import { swaps } from "#db/schema/swaps.ts";
import { orders } from "#db/schema/trading.ts";
import { walletTransactions } from "#db/schema/transactions.ts";
import { triggers } from "#db/schema/triggers.ts";
import { wallets } from "#db/schema/wallets.ts";
import { webhookDeliveries, webhooks } from "#db/schema/webhooks.ts";
import { workflows } from "#db/schema/workflows.ts";
import type { IdKind } from "#server/ids.ts";
import type { Scope } from "#server/operation/scopes.ts";
import type { FOUND_KINDS } from "./schema.ts";

interface Columns {
  accountId: PgColumn;
  id: PgColumn;
  projectId: PgColumn | null;
  endUserId: PgColumn | null;
}

/** A table that is searched. */
export interface Source {
  kind: (typeof FOUND_KINDS)[number] & IdKind;
  scope: Scope;
  table: PgTable | PgView;
  columns: Columns;
  label: PgColumn | SQL;
  detail: PgColumn | SQL;
  parent?: { kind: IdKind; id: PgColumn };
  /** Columns with an index for any part of the text (`searchIndex`). */
  indexed?: readonly PgColumn[];
  /** Columns that are searched in the newest rows only. */
  others?: readonly PgColumn[];
}

const sources: readonly Source[] = [
  {
    kind: "project",
    scope: "projects:read",
    table: projects,
    // A project's own id is its project.
    columns: { accountId: projects.accountId, id: projects.id, projectId: projects.id, endUserId: null },
    label: projects.name,
    detail: sql`case when ${projects.archivedAt} is null then ${projects.slug} else 'archived' end`,
    indexed: [projects.name],
    others: [projects.slug],
  },
  {
    kind: "apiKey",
    scope: "api_keys:manage",
    table: apiKeys,
    columns: apiKeys,
    label: apiKeys.label,
    detail: sql`case when ${apiKeys.revokedAt} is null then ${apiKeys.prefix} else 'revoked' end`,
    indexed: [apiKeys.label],
    others: [apiKeys.prefix],
  },
  {
    kind: "wallet",
    scope: "wallets:read",
    table: wallets,
    columns: wallets,
    label: wallets.label,
    detail: wallets.address,
    indexed: [wallets.label],
    others: [wallets.address],
  },
  {
    kind: "contact",
    scope: "wallets:read",
    table: contacts,
    columns: contacts,
    label: contacts.name,
    detail: contacts.address,
    indexed: [contacts.name],
    others: [contacts.address],
  },
  {
    kind: "run",
    scope: "runs:read",
    table: runs,
    columns: runs,
    label: sql`coalesce(${runs.name}, ${runs.serviceId} || ' ' || ${runs.operationId})`,
    detail: runs.status,
    indexed: [runs.name],
    others: [runs.serviceId, runs.operationId],
  },
  {
    kind: "workflow",
    scope: "runs:read",
    table: workflows,
    columns: workflows,
    label: workflows.name,
    detail: sql`case when ${workflows.archivedAt} is null then 'version ' || ${workflows.version} else 'archived' end`,
    others: [workflows.name],
  },
  {
    kind: "trigger",
    scope: "runs:read",
    table: triggers,
    columns: triggers,
    label: triggers.name,
    detail: sql`case when ${triggers.pausedReason} is null then ${triggers.serviceId} || ' ' || ${triggers.operationId} else 'paused' end`,
    others: [triggers.name],
  },
  {
    kind: "connection",
    scope: "connections:read",
    table: connections,
    columns: connections,
    label: connections.label,
    detail: connections.provider,
    indexed: [connections.label],
    others: [connections.provider],
  },
  {
    kind: "file",
    scope: "files:read",
    table: files,
    columns: files,
    label: files.name,
    detail: files.mediaType,
    indexed: [files.name],
    others: [files.purpose],
  },
  {
    kind: "webhook",
    scope: "webhooks:read",
    table: webhooks,
    columns: webhooks,
    label: webhooks.url,
    detail: sql`coalesce(${webhooks.description}, ${webhooks.status})`,
    indexed: [webhooks.url, webhooks.description],
  },
  {
    kind: "approval",
    scope: "approvals:read",
    table: approvals,
    columns: approvals,
    label: approvals.summary,
    detail: sql`case when ${approvals.status} = 'pending' and ${approvals.expiresAt} < now() then 'expired' else ${approvals.status} end`,
    indexed: [approvals.summary],
  },
  {
    kind: "artifact",
    scope: "artifacts:read",
    table: artifacts,
    columns: artifacts,
    label: artifacts.name,
    detail: artifacts.mediaType,
    indexed: [artifacts.name],
  },
  {
    kind: "transaction",
    scope: "wallets:read",
    table: walletTransactions,
    columns: walletTransactions,
    label: sql`coalesce(${walletTransactions.hash}, 'Transaction without a hash')`,
    detail: walletTransactions.status,
    parent: { kind: "wallet", id: walletTransactions.walletId },
    others: [walletTransactions.clientReference, walletTransactions.from, walletTransactions.to],
  },
  {
    kind: "signature",
    scope: "wallets:read",
    table: signatures,
    columns: signatures,
    label: sql`'Signature'`,
    detail: signatures.status,
    parent: { kind: "wallet", id: signatures.walletId },
  },
  {
    kind: "order",
    scope: "trading:read",
    table: orders,
    columns: orders,
    label: sql`${orders.side} || ' ' || ${orders.symbol}`,
    detail: orders.status,
    others: [orders.clientReference, orders.symbol],
  },
  {
    kind: "swap",
    scope: "wallets:read",
    table: swaps,
    columns: swaps,
    label: sql`'Swap'`,
    detail: swaps.status,
  },
  {
    kind: "transfer",
    scope: "databases:read",
    table: databaseTransfers,
    columns: {
      accountId: databaseTransfers.accountId,
      id: databaseTransfers.id,
      projectId: null,
      endUserId: null,
    },
    label: sql`'Database ' || ${databaseTransfers.direction}`,
    detail: databaseTransfers.status,
  },
  {
    kind: "delivery",
    scope: "webhooks:read",
    table: webhookDeliveries,
    columns: webhookDeliveries,
    label: webhookDeliveries.event,
    detail: webhookDeliveries.status,
    parent: { kind: "webhook", id: webhookDeliveries.webhookId },
  },
  {
    kind: "auditEvent",
    scope: "audit:read",
    table: auditEvents,
    columns: auditEvents,
    label: auditEvents.operation,
    detail: auditEvents.outcome,
  },
];

/** Returns the sources that a person with these scopes may search. */
export function sourcesFor(scopes: readonly Scope[]): Source[] {
  return sources.filter(({ scope }) => scopes.includes(scope));
}
