"use client";

import { useSuspenseQuery } from "@tanstack/react-query";
import { type AccessRow, AccessTable } from "#app/(console)/api-keys/[id]/access-table.tsx";
import { LimitTable } from "#app/(console)/api-keys/[id]/limit-table.tsx";
import { useTRPC } from "#components/trpc.tsx";
import { Section } from "#components/ui/section.tsx";
import { Tabs } from "#components/ui/tabs.tsx";
import type { ApiKey, KeyAccess } from "#server/keys/schema.ts";
import { SCOPES } from "#server/operation/scopes.ts";

/** What the key may do in the end, and which key of its chain decides. `chain`: the root first, the key last. */
export function Permissions({ id, chain }: { id: string; chain: readonly ApiKey[] }) {
  const trpc = useTRPC();
  const { access } = useSuspenseQuery(trpc.apiKeys.access.read.queryOptions({ keyId: id })).data;
  const tables = Object.entries(rowsOf(access)).map(([what, rows]) => ({
    id: what,
    label: `${what} (${rows.filter(({ allowed }) => allowed).length})`,
    content: <AccessTable what={what} rows={rows} chain={chain} />,
  }));
  const limits = {
    id: "Limits",
    label: `Limits (${access.limits.length})`,
    content: <LimitTable limits={access.limits} chain={chain} />,
  };
  return (
    <Section
      title="Effective permissions"
      description="What is left after every key of the chain has had its say, and which of them decides."
    >
      <Tabs label="Effective permissions" tabs={[...tables, limits]} />
    </Section>
  );
}

function rowsOf({ scopes, services, operations }: KeyAccess): Record<string, AccessRow[]> {
  return {
    Scopes: scopes.map(({ scope, allowed, deniedBy }) => ({
      name: scope,
      note: SCOPES[scope],
      allowed,
      deniedBy,
    })),
    Services: services.map(({ id, name, allowed, deniedBy }) => ({
      name: id,
      note: name,
      allowed,
      deniedBy,
    })),
    Operations: operations.map(({ selector, scope, denied }) => ({
      name: selector,
      note: denied ? missing[denied.check](scope) : `Under ${scope}.`,
      allowed: denied === null,
      deniedBy: denied?.keyId ?? null,
    })),
  };
}

const missing: Record<"scope" | "service" | "operation", (scope: string) => string> = {
  scope: (scope) => `Lacks the scope ${scope}.`,
  service: () => "Outside the service boundary.",
  operation: () => "Outside the operation boundary.",
};
