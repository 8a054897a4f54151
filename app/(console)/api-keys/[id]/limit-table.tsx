"use client";

import { kinds } from "#app/(console)/api-keys/(list)/new/limits-field.tsx";
import { Decider } from "#app/(console)/api-keys/[id]/decider.tsx";
import type { Column } from "#components/table/column.ts";
import { DataTable } from "#components/table/data-table.tsx";
import { Count } from "#components/ui/amount.tsx";
import type { KeyAccess } from "#server/keys/access/schema.ts";
import type { ApiKey } from "#server/keys/schema.ts";

type Limit = KeyAccess["limits"][number];

/** Lists the tightest limits of the chain; a call counts against each limit that covers it. */
export function LimitTable({ limits, chain }: { limits: Limit[]; chain: readonly ApiKey[] }) {
  const columns: Column<Limit>[] = [
    { header: "Selector", cell: ({ selector }) => <span className="font-mono">{selector}</span> },
    { header: "At most", cell: ({ value }) => <Count value={value} />, align: "end", width: "8rem" },
    { header: "Of", cell: ({ kind }) => kinds.find(({ value }) => value === kind)?.label, width: "12rem" },
    { header: "Decided by", cell: ({ keyId }) => <Decider keyId={keyId} chain={chain} />, width: "12rem" },
  ];
  return (
    <DataTable
      label="Limits"
      columns={columns}
      rows={limits}
      rowId={({ selector, kind }) => `${selector} ${kind}`}
      empty={<p className="px-4 py-6 text-muted">No key of the chain has limits.</p>}
    />
  );
}
