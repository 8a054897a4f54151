"use client";

import { useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type AccessRow, AccessTable } from "#app/(console)/api-keys/[id]/access-table.tsx";
import { LimitTable } from "#app/(console)/api-keys/[id]/limit-table.tsx";
import { useTRPC } from "#components/trpc.tsx";
import { Section } from "#components/ui/section.tsx";
import { Segments } from "#components/ui/segments.tsx";
import type { KeyAccess } from "#server/keys/access/schema.ts";
import type { ApiKey } from "#server/keys/schema.ts";

/** Shows the key's effective permissions, and which key of its chain decides each. `chain` begins with the root key. */
export function Permissions({ id, chain }: { id: string; chain: readonly ApiKey[] }) {
  const trpc = useTRPC();
  const { access } = useSuspenseQuery(trpc.apiKeys.access.read.queryOptions({ keyId: id })).data;
  const [shown, setShown] = useState("Scopes");
  const tables = rowsOf(access);
  const rows = tables[shown];
  const options = Object.entries(tables).map(([what, rows]) => ({
    value: what,
    label: `${what} (${rows.filter(({ allowed }) => allowed).length})`,
  }));
  return (
    <Section
      title="Effective permissions"
      description="The access that every key of the chain allows, and the key that decides on each item."
      action={
        <Segments
          label="Kind of permission"
          options={[...options, { value: "Limits", label: `Limits (${access.limits.length})` }]}
          value={shown}
          onChange={setShown}
        />
      }
    >
      {rows ? (
        <AccessTable key={shown} what={shown} rows={rows} chain={chain} />
      ) : (
        <LimitTable limits={access.limits} chain={chain} />
      )}
    </Section>
  );
}

function rowsOf({ scopes, services, operations }: KeyAccess): Record<string, AccessRow[]> {
  return {
    Scopes: scopes.map(({ scope, allows, allowed, deniedBy }) => ({
      name: scope,
      note: allows,
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
