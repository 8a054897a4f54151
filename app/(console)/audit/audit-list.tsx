"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { columns } from "#app/(console)/audit/columns.tsx";
import { LiveTail, useLiveTail } from "#app/(console)/audit/live-tail.tsx";
import { auditList } from "#app/(console)/audit/queries.ts";
import { routes } from "#components/routes.ts";
import { ListTable } from "#components/table/list-table.tsx";
import { useList } from "#components/table/use-list.ts";
import { useTRPC, useTRPCClient } from "#components/trpc.tsx";
import { CodeBlock } from "#components/ui/code-block.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";
import { Section } from "#components/ui/section.tsx";

/** Lists the account's requests, with live tail. */
export function AuditList({ accountId, operationIds }: { accountId: string; operationIds: string[] }) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const state = useList(auditList);
  const query = trpc.auditEvents.list.queryOptions(state.query);
  const live = useLiveTail();
  const list = useQuery({ ...query, placeholderData: keepPreviousData, ...live.following });
  const { filters } = state;
  const operation = useMemo(() => operationIds.map((id) => ({ value: id, label: id })), [operationIds]);

  return (
    <Page>
      <PageHeader
        title="Audit"
        sentence="Every request: who made it, which check it passed or not, and its place in the account’s hash chain."
        action={<LiveTail tail={live} />}
      />
      <ListTable
        state={state}
        label="Audit events"
        columns={columns}
        options={{ operation }}
        list={list}
        failed="The requests could not be loaded."
        ask={client.auditEvents.list.query}
        rowsOf={({ auditEvents }) => auditEvents}
        rowHref={(event) => `${routes.auditEvent(event.id)}${state.suffix}`}
        rowMenu={(event) => [
          { label: "Only this operation", onSelect: () => filters.set("operation", event.operation) },
          { label: "Only this response", onSelect: () => filters.set("status", String(event.status)) },
          ...(event.actor.type === "key" && event.actor.id
            ? [
                { label: "Only this key", onSelect: () => filters.set("keyId", event.actor.id ?? "") },
                { label: "Open the key", href: routes.apiKeys.read(event.actor.id) },
              ]
            : []),
          ...(event.actor.type === "member" && event.actor.id
            ? [{ label: "Only this person", onSelect: () => filters.set("memberId", event.actor.id ?? "") }]
            : []),
        ]}
        emptyPage={
          <EmptyState title="No requests on this page">
            Past months, and requests with one response, are searched in parts: “Older” continues where this
            part ends.
          </EmptyState>
        }
        empty={
          <EmptyState title="No requests yet">
            Each call of a key, and each act of a person here, is written down before it is answered.
          </EmptyState>
        }
        paged={!live.on}
      />
      <ExportCommands accountId={accountId} />
    </Page>
  );
}

/** Says how to export the audit chain and verify it offline, without trusting this installation. */
function ExportCommands({ accountId }: { accountId: string }) {
  return (
    <Section
      title="Export"
      description="The whole chain with its signed heads. The check needs no server: it finds any event that was changed, left out or put in."
    >
      <CodeBlock
        label="terminal"
        code={`npm run --silent audit:export -- --account ${accountId} > audit.ndjson\nnpm run --silent audit:verify -- audit.ndjson`}
      />
    </Section>
  );
}
