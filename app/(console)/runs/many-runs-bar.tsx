"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type BulkAction, eligibleRuns, leftOutText } from "#app/(console)/runs/bulk/queries.ts";
import { changeRuns } from "#app/(console)/runs/bulk/use-bulk.ts";
import type { Run } from "#app/(console)/runs/queries.ts";
import { routes } from "#components/routes.ts";
import { countedBy } from "#components/table/many.tsx";
import { ManyDialog } from "#components/table/many-dialog.tsx";
import { SelectionBar } from "#components/table/selection-bar.tsx";
import type { Selection } from "#components/table/use-selection.ts";
import { useTRPC, useTRPCClient } from "#components/trpc.tsx";
import { Button } from "#components/ui/button.tsx";
import { TextLink } from "#components/ui/link.tsx";
import { Status } from "#components/ui/status.tsx";
import { RelativeTime } from "#components/ui/time.tsx";

const words = {
  cancel: {
    verb: "Cancel",
    text: "Each stops at its next step. Its work so far stays done and charged.",
  },
  forget: {
    verb: "Forget",
    text: "Deletes the input, result, answers of steps and log of each, for good. The runs stay with their status and charge.",
  },
  retry: {
    verb: "Retry",
    text: "Each is run again as a new run at today’s price: from the step that failed, or from its first.",
  },
} as const;

const counted = countedBy("run");

/** The bar and the dialog behind `ManyRuns`. */
export function ManyRunsBar({ selection }: { selection: Selection<Run> }) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queries = useQueryClient();
  const [action, setAction] = useState<BulkAction | null>(null);
  const chosen = [...selection.chosen.values()];
  const actions = (["retry", "cancel", "forget"] as const).map((one) => ({
    one,
    runs: eligibleRuns(one, chosen),
  }));

  async function close(done: string[] | null) {
    setAction(null);
    if (!done) return;
    selection.drop(done);
    await queries.invalidateQueries(trpc.runs.pathFilter());
  }

  return (
    <>
      <SelectionBar selection={selection}>
        {actions.map(({ one, runs }) => (
          <Button key={one} size="sm" disabled={runs.length === 0} onClick={() => setAction(one)}>
            {`${words[one].verb} ${counted(runs.length)}`}
          </Button>
        ))}
      </SelectionBar>
      {action && (
        <ManyDialog
          title={`${words[action].verb} ${counted(eligibleRuns(action, chosen).length)}?`}
          verb={words[action].verb}
          danger={action !== "retry"}
          items={eligibleRuns(action, chosen).map((run) => ({
            id: run.id,
            name: selection.nameOf(run),
            note: (
              <>
                <Status value={run.status} /> <RelativeTime at={run.createdAt} />
              </>
            ),
          }))}
          act={(ids, report) =>
            changeRuns(client, { action, runIds: ids }, (id, { problem, newRunId }) =>
              report(id, {
                problem,
                more: newRunId && <TextLink href={routes.runs.read(newRunId)}>Open the new run</TextLink>,
              }),
            )
          }
          onClose={close}
        >
          {words[action].text} {leftOutText(action, chosen)}
        </ManyDialog>
      )}
    </>
  );
}
