import { sql } from "drizzle-orm";
import { endUsers, invitations } from "#db/schema/accounts.ts";
import { approvals } from "#db/schema/approvals.ts";
import { artifacts } from "#db/schema/artifacts.ts";
import { auditEvents } from "#db/schema/audit.ts";
import { connections } from "#db/schema/connections.ts";
import { databaseTransfers } from "#db/schema/databases.ts";
import { files } from "#db/schema/files.ts";
import { apiKeys } from "#db/schema/keys.ts";
import { ledgerTransactions } from "#db/schema/ledger.ts";
import { memories } from "#db/schema/memory.ts";
import { projects } from "#db/schema/projects.ts";
import { runs } from "#db/schema/runs.ts";
import { sentEvents } from "#db/schema/sent-events.ts";
import { triggers, triggerTicks } from "#db/schema/triggers.ts";
import { webhookDeliveries, webhooks } from "#db/schema/webhooks.ts";
import { workflows } from "#db/schema/workflows.ts";
import { NIL_UUID } from "#server/base/ids.ts";
import type { Caller } from "#server/operation/caller.ts";
import type { Source } from "./source.ts";
import { walletSources } from "./wallet-sources.ts";

/** Every table that is searched. */
export const sources: readonly Source[] = [
  ...walletSources,
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
    partsOf: "all",
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
    partsOf: "all",
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
    partsOf: "newest",
  },
  {
    kind: "workflow",
    scope: "runs:read",
    table: workflows,
    columns: workflows,
    label: workflows.name,
    detail: sql`case when ${workflows.archivedAt} is null then 'version ' || ${workflows.version} else 'archived' end`,
    indexed: [workflows.name],
    partsOf: "all",
  },
  {
    kind: "trigger",
    scope: "runs:read",
    table: triggers,
    columns: triggers,
    label: triggers.name,
    detail: sql`case when ${triggers.pausedReason} is null then ${triggers.serviceId} || ' ' || ${triggers.operationId} else 'paused' end`,
    others: [triggers.name],
    partsOf: "newest",
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
    partsOf: "all",
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
    partsOf: "newest",
  },
  {
    kind: "webhook",
    scope: "webhooks:read",
    table: webhooks,
    columns: webhooks,
    label: webhooks.url,
    detail: sql`coalesce(${webhooks.description}, ${webhooks.status})`,
    indexed: [webhooks.url, webhooks.description],
    partsOf: "all",
  },
  {
    kind: "approval",
    scope: "approvals:read",
    table: approvals,
    columns: approvals,
    label: approvals.summary,
    detail: sql`case when ${approvals.status} = 'pending' and ${approvals.expiresAt} < now() then 'expired' else ${approvals.status} end`,
    indexed: [approvals.summary],
    partsOf: "newest",
  },
  {
    kind: "artifact",
    scope: "artifacts:read",
    table: artifacts,
    columns: artifacts,
    label: artifacts.name,
    detail: artifacts.mediaType,
    indexed: [artifacts.name],
    partsOf: "newest",
  },
  {
    kind: "memory",
    scope: "services:invoke",
    table: memories,
    columns: memories,
    label: sql`coalesce(${memories.name}, 'Memory without a name')`,
    detail: sql`array_to_string(${memories.tags}, ', ')`,
    indexed: [memories.name],
    partsOf: "newest",
  },
  {
    kind: "endUser",
    scope: "projects:read",
    table: endUsers,
    columns: { accountId: endUsers.accountId, id: endUsers.id, projectId: null, endUserId: endUsers.id },
    only: sql`${endUsers.externalId} is not null`,
    label: endUsers.externalId,
    detail: sql`null`,
    indexed: [endUsers.externalId],
    partsOf: "newest",
  },
  {
    kind: "sentEvent",
    scope: "runs:read",
    table: sentEvents,
    columns: sentEvents,
    // Without the platform's events that runs have received.
    only: sql`${sentEvents.space} <> ${NIL_UUID}::uuid`,
    label: sentEvents.name,
    detail: sentEvents.key,
    // A trigger that it has started; its log shows the event.
    parent: {
      kind: "trigger",
      id: sql`(select ${triggerTicks.triggerId} from ${triggerTicks}
        where ${triggerTicks.accountId} = ${sentEvents.accountId} and ${triggerTicks.eventId} = ${sentEvents.id} and ${sentEvents.started} > 0 limit 1)`,
    },
    others: [sentEvents.name, sentEvents.key],
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
    kind: "receipt",
    scope: "credits:read",
    table: ledgerTransactions,
    columns: {
      accountId: ledgerTransactions.accountId,
      id: ledgerTransactions.id,
      projectId: ledgerTransactions.projectId,
      endUserId: null,
    },
    label: ledgerTransactions.description,
    detail: ledgerTransactions.operation,
  },
  {
    kind: "invitation",
    scope: null,
    forOwners: true,
    table: invitations,
    columns: { accountId: invitations.accountId, id: invitations.id, projectId: null, endUserId: null },
    only: sql`${invitations.acceptedAt} is null and ${invitations.revokedAt} is null and ${invitations.expiresAt} > now()`,
    label: invitations.email,
    detail: invitations.role,
    others: [invitations.email],
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

/** Returns the sources that the caller may search. */
export function sourcesFor(caller: Caller): Source[] {
  const isOwner = caller.type === "member" && caller.role === "owner";
  return sources.filter(
    ({ scope, forOwners }) => (scope === null || caller.scopes.includes(scope)) && (isOwner || !forOwners),
  );
}
