"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { countOf } from "#app/(console)/api-keys/queries.ts";
import { ManyDialog, type Outcome } from "#components/table/many-dialog.tsx";
import { SelectionBar } from "#components/table/selection-bar.tsx";
import type { Selection } from "#components/table/use-selection.ts";
import { useTRPC, useTRPCClient } from "#components/trpc.tsx";
import { Button } from "#components/ui/button.tsx";
import { readProblem } from "#components/ui/problem.ts";
import type { ApiKey } from "#server/keys/schema.ts";

/** Revokes the selected keys: returns the bar above the list, and the dialog. */
export function useRevokingMany(selection: Selection<ApiKey>) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queries = useQueryClient();
  const [asking, setAsking] = useState(false);
  const keys = [...selection.chosen.values()];

  /** Revokes one after the other, because revoking a key also revokes its descendants. */
  async function revokeAll(ids: string[], report: (id: string, outcome: Outcome) => void) {
    for (const id of ids)
      await client.apiKeys.revoke.mutate({ id }).then(
        () => report(id, { problem: null }),
        (reason: unknown) => report(id, { problem: readProblem(reason).message }),
      );
  }

  async function close() {
    setAsking(false);
    selection.clear();
    await queries.invalidateQueries(trpc.apiKeys.pathFilter());
  }

  return {
    bar: (
      <SelectionBar selection={selection}>
        <Button size="sm" variant="danger" onClick={() => setAsking(true)}>
          {`Revoke ${countOf(keys.length)}`}
        </Button>
      </SelectionBar>
    ),
    dialog: asking && (
      <ManyDialog
        title={`Revoke ${countOf(keys.length)}?`}
        verb="Revoke"
        danger
        items={keys.map(({ id, label, prefix }) => ({
          id,
          name: label,
          note: <span className="font-mono">{prefix}…</span>,
        }))}
        act={revokeAll}
        onClose={close}
      >
        From this moment each request with one of them, or with a key below it, answers 401. This can’t be
        undone.
      </ManyDialog>
    ),
  };
}
