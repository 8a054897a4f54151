"use client";

import { Plus, X } from "lucide-react";
import { shortened } from "#app/(console)/database/sql/history.tsx";
import type { QueryTab } from "#app/(console)/database/sql/use-query-tabs.ts";
import { cn } from "#components/ui/cn.ts";
import { IconButton } from "#components/ui/icon-button.tsx";

type Props = {
  tabs: readonly QueryTab[];
  activeId: string;
  full: boolean;
  onChoose: (id: string) => void;
  onClose: (id: string) => void;
  onOpen: () => void;
};

/** The tabs of the open queries, each named by its number and its first words. */
export function QueryTabs({ tabs, activeId, full, onChoose, onClose, onOpen }: Props) {
  return (
    <ul aria-label="Open queries" className="flex min-w-0 items-center gap-1 overflow-x-auto border-b">
      {tabs.map(({ id, sql }, place) => (
        <li
          key={id}
          className={cn(
            "-mb-px flex shrink-0 items-center border-b-2",
            id === activeId ? "border-accent text-ink" : "border-transparent text-muted",
          )}
        >
          <button
            type="button"
            aria-current={id === activeId ? "true" : undefined}
            title={sql}
            onClick={() => onChoose(id)}
            className="h-9 max-w-44 truncate px-2 text-13 hover:text-ink focus-visible:-outline-offset-2"
          >
            {place + 1}. {shortened(sql) || "empty"}
          </button>
          {tabs.length > 1 && (
            <IconButton
              icon={X}
              label={`Close query ${place + 1}`}
              className="size-6"
              onClick={() => onClose(id)}
            />
          )}
        </li>
      ))}
      <li>
        <IconButton icon={Plus} label="New query" disabled={full} onClick={onOpen} />
      </li>
    </ul>
  );
}
