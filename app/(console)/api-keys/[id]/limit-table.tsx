"use client";

import { kinds } from "#app/(console)/api-keys/(list)/new/limits-field.tsx";
import { Decider } from "#app/(console)/api-keys/[id]/decider.tsx";
import { useUsedLimits } from "#app/(console)/api-keys/use-key-numbers.ts";
import type { Column } from "#components/table/column.ts";
import { DataTable } from "#components/table/data-table.tsx";
import { Count } from "#components/ui/amount.tsx";
import { cn } from "#components/ui/cn.ts";
import { inDigits } from "#components/ui/digits.ts";
import type { KeyAccess, UsedLimit } from "#server/keys/access/schema.ts";
import type { ApiKey } from "#server/keys/schema.ts";

type Limit = KeyAccess["limits"][number];

/** Lists the tightest limits of the chain and their use; a call counts against each limit that covers it. */
export function LimitTable({ limits, chain }: { limits: Limit[]; chain: readonly ApiKey[] }) {
  const used = useUsedLimits(chain);
  const usedOf = ({ keyId, selector, kind }: Limit) =>
    used.get(keyId)?.find((each) => each.selector === selector && each.kind === kind);
  const columns: Column<Limit>[] = [
    { header: "Selector", cell: ({ selector }) => <span className="font-mono">{selector}</span> },
    { header: "At most", cell: ({ value }) => <Count value={value} />, align: "end", width: "8rem" },
    { header: "Of", cell: ({ kind }) => kinds.find(({ value }) => value === kind)?.label, width: "12rem" },
    { header: "Now", cell: (limit) => <Use limit={usedOf(limit)} />, width: "10rem" },
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

/** Shows how much of a limit is used: `3 of 60 used`. */
function Use({ limit }: { limit: UsedLimit | undefined }) {
  if (!limit) return <span className="text-muted">–</span>;
  const { used, value } = limit;
  return (
    <span className={cn("tabular-nums", used >= value && "font-medium text-bad")}>
      {inDigits(used)} of {inDigits(value)} used
    </span>
  );
}
