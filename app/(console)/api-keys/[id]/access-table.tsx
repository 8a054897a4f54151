"use client";

import { useState } from "react";
import { Decider } from "#app/(console)/api-keys/[id]/decider.tsx";
import type { Column } from "#components/table/column.ts";
import { DataTable } from "#components/table/data-table.tsx";
import { Input } from "#components/ui/input.tsx";
import { Status } from "#components/ui/status.tsx";
import type { ApiKey } from "#server/keys/schema.ts";

const FEW = 12;

export type AccessRow = {
  name: string;
  note: string;
  allowed: boolean;
  /** The key of the chain that denies it. */
  deniedBy: string | null;
};

/** Lists names with their effective permission; allowed ones first. */
export function AccessTable({
  what,
  rows,
  chain,
}: {
  what: string;
  rows: AccessRow[];
  chain: readonly ApiKey[];
}) {
  const [search, setSearch] = useState("");
  const found = rows.filter(({ name }) => name.toLowerCase().includes(search.trim().toLowerCase()));
  const sorted = found.toSorted((a, b) => Number(b.allowed) - Number(a.allowed));
  const columns: Column<AccessRow>[] = [
    { header: "Name", cell: ({ name }) => <span className="font-mono">{name}</span> },
    {
      header: "Effective",
      cell: ({ allowed }) => (
        <Status value={allowed ? "allowed" : "denied"} tone={allowed ? "ok" : "neutral"} />
      ),
      width: "7rem",
    },
    {
      header: "Decided by",
      cell: ({ deniedBy }) => <Decider keyId={deniedBy} chain={chain} />,
      width: "12rem",
    },
    {
      header: "About",
      cell: ({ note }) => (
        <span className="text-muted" title={note}>
          {note}
        </span>
      ),
      minor: true,
    },
  ];
  return (
    <div className="flex flex-col gap-3">
      {rows.length > FEW && (
        <Input
          type="search"
          aria-label={`Find ${what.toLowerCase()}`}
          placeholder={`Find ${what.toLowerCase()}`}
          className="sm:max-w-64"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
      )}
      <DataTable
        label={what}
        columns={columns}
        rows={sorted}
        rowId={({ name }) => name}
        empty={<p className="px-4 py-6 text-muted">Nothing has that name.</p>}
      />
    </div>
  );
}
