"use client";

import { keyColumnsWith } from "#app/(console)/api-keys/key-columns.tsx";
import { type KeyFilters, keysQuery } from "#app/(console)/api-keys/queries.ts";
import type { CsvColumn } from "#components/table/csv.ts";
import { ExportCsv } from "#components/table/export-csv.tsx";
import type { TableView } from "#components/table/use-list.ts";
import { ViewButton } from "#components/table/view-button.tsx";
import { useTRPCClient } from "#components/trpc.tsx";
import type { ApiKey } from "#server/keys/schema.ts";

const columns: readonly CsvColumn<ApiKey>[] = [
  { header: "Id", value: ({ id }) => id },
  { header: "Label", value: ({ label }) => label },
  { header: "Prefix", value: ({ prefix }) => prefix },
  { header: "Status", value: ({ status, invalidBecause }) => invalidBecause ?? status },
  { header: "Scopes", value: ({ scopes }) => scopes.join(" ") },
  { header: "Parent", value: ({ parentId }) => parentId },
  { header: "Depth", value: ({ depth }) => depth },
  { header: "Project", value: ({ projectId }) => projectId },
  { header: "End user", value: ({ endUser }) => endUser },
  { header: "Created", value: ({ createdAt }) => createdAt },
  { header: "Last used", value: ({ lastUsedAt }) => lastUsedAt },
  { header: "Expires", value: ({ expiresAt }) => expiresAt },
  { header: "Revoked", value: ({ revokedAt }) => revokedAt },
];

/** Exports the keys that the filters let through, from every level, and chooses columns. */
export function KeyTools({ filters, view }: { filters: KeyFilters; view: TableView }) {
  const client = useTRPCClient();
  async function page(cursor: string | undefined) {
    const input = { ...keysQuery(filters), limit: 100, ...(cursor && { cursor }) };
    const { apiKeys, nextCursor } = await client.apiKeys.list.query(input);
    return { rows: apiKeys, nextCursor };
  }
  return (
    <>
      <ExportCsv name="api-keys" columns={columns} page={page} />
      <ViewButton view={view} columns={keyColumnsWith({ limits: new Map(), calls: new Map() })} />
    </>
  );
}
