"use client";

import { Trash2 } from "lucide-react";
import { useState } from "react";
import { type SavedQuery, useSavedQueries } from "#app/(console)/database/sql/use-saved-queries.ts";
import { Button } from "#components/ui/button.tsx";
import { IconButton } from "#components/ui/icon-button.tsx";
import { Input } from "#components/ui/input.tsx";
import { toast } from "#components/ui/toast.tsx";

export type SavedProps = { owner: string; sql: string; onOpen: (query: SavedQuery) => void };

/** Saves a query under a name; opens and deletes saved queries. */
export function SavedList({ owner, sql, onOpen }: SavedProps) {
  const { saved, save, remove } = useSavedQueries(owner);
  const [name, setName] = useState("");
  const isReplacing = saved.some((query) => query.name === name.trim());
  return (
    <div className="flex flex-col gap-3">
      <form
        className="flex gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          if (save({ name: name.trim(), sql })) setName("");
          else toast("The browser has no room for it: delete a saved query first.", { failed: true });
        }}
      >
        <Input
          aria-label="Name of the query"
          placeholder="Name of the query"
          maxLength={200}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <Button type="submit" variant="primary" disabled={name.trim() === "" || sql.trim() === ""}>
          {isReplacing ? "Replace query" : "Save query"}
        </Button>
      </form>
      {saved.length === 0 ? (
        <p className="text-13 text-muted">None yet.</p>
      ) : (
        <ul aria-label="Saved" className="flex flex-col divide-y rounded-md border">
          {saved.map((query) => (
            <li key={query.name} className="flex items-center gap-2 px-2 py-1">
              <button
                type="button"
                onClick={() => onOpen(query)}
                className="flex min-w-0 flex-1 flex-col rounded-sm px-1 py-0.5 text-left hover:bg-hover"
              >
                <span className="max-w-full truncate font-medium">{query.name}</span>
                <span className="max-w-full truncate font-mono text-12 text-muted">{query.sql}</span>
              </button>
              <IconButton icon={Trash2} label={`Delete ${query.name}`} onClick={() => remove(query.name)} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
