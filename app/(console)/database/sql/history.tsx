"use client";

import { HistoryIcon } from "lucide-react";
import { Button } from "#components/ui/button.tsx";
import { Menu } from "#components/ui/menu.tsx";

const SHOWN = 15;
const LENGTH = 60;

/** Lists the statements run before; choosing one puts it into the editor. */
export function History({
  entries,
  onChoose,
  onForget,
}: {
  entries: readonly string[];
  onChoose: (sql: string) => void;
  onForget: () => void;
}) {
  if (entries.length === 0) return null;
  const items = entries
    .slice(0, SHOWN)
    .map((sql) => ({ id: sql, label: shortened(sql), onSelect: () => onChoose(sql) }));
  return (
    <Menu
      trigger={
        <Button>
          <HistoryIcon aria-hidden className="size-4" />
          History
        </Button>
      }
      items={[...items, { label: "Forget all", danger: true, separated: true, onSelect: onForget }]}
    />
  );
}

export function shortened(sql: string): string {
  const line = sql.replace(/\s+/g, " ").trim();
  return line.length > LENGTH ? `${line.slice(0, LENGTH - 1)}…` : line;
}
