"use client";

import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { shown, type Table } from "#app/(console)/database/tables/[table]/row-query.ts";
import {
  actionsOf,
  changesOf,
  type Staged,
  type StagedRow,
  wordsOf,
} from "#app/(console)/database/tables/[table]/use-staged.ts";
import { useTRPC } from "#components/trpc.tsx";
import { Button } from "#components/ui/button.tsx";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { readProblem } from "#components/ui/problem.ts";
import { Scrolling } from "#components/ui/scrolling.tsx";
import { toast } from "#components/ui/toast.tsx";

const SHOWN = 50;

/** Returns the index of the row that somebody else has changed since it was read. */
function outdatedPlace(error: unknown): number | null {
  if (!error) return null;
  const issue = readProblem(error).issues.find(({ path }) => path.endsWith(".expectedRows"));
  return issue ? Number(issue.path.split(".")[2]) : null;
}

export type ReviewChangesProps = {
  table: Table;
  staged: Staged;
  onClose: () => void;
  onDrop: (id: string) => void;
  onApplied: () => Promise<unknown>;
};

/** Lists the staged changes, tries them, and applies all of them or none. */
export function ReviewChanges({ table, staged, onClose, onDrop, onApplied }: ReviewChangesProps) {
  const trpc = useTRPC();
  const actions = actionsOf(table, staged);
  const trial = useMutation(trpc.databases.actions.mutationOptions());
  const apply = useMutation(
    trpc.databases.actions.mutationOptions({
      async onSuccess() {
        toast(`${changesOf(staged.size)} of ${table.name} ${staged.size === 1 ? "is" : "are"} made.`);
        await onApplied();
      },
    }),
  );
  const attempt = useRef(() => {});
  attempt.current = () => {
    apply.reset();
    trial.mutate({ actions, dryRun: true });
  };
  // Tries when the dialog opens, and again when a change has been dropped.
  const { size } = staged;
  useEffect(() => {
    if (size > 0) attempt.current();
  }, [size]);

  const error = apply.error ?? trial.error;
  const place = outdatedPlace(error);
  const [outdatedId, outdated] = [...staged][place ?? -1] ?? [];
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Make ${changesOf(size)} of ${table.name}?`}
      action="Apply changes"
      danger={[...staged.values()].some(({ deleted }) => deleted)}
      pending={apply.isPending || trial.isPending}
      error={outdated ? null : apply.error}
      onConfirm={() => trial.data && apply.mutate({ actions })}
    >
      <Scrolling label="Changes" className="max-h-64 rounded-md border">
        <ul className="flex flex-col divide-y">
          {[...staged].slice(0, SHOWN).map(([id, entry]) => (
            <li key={id} className="px-3 py-2 text-13">
              <Change entry={entry} />
            </li>
          ))}
          {size > SHOWN && (
            <li className="px-3 py-2 text-13 text-muted">and {changesOf(size - SHOWN)} more</li>
          )}
        </ul>
      </Scrolling>
      <p role="status" className="text-13">
        {trial.isPending && "Trying them…"}
        {trial.data &&
          !apply.error &&
          "Tried and rolled back: each can be made. They are made together or not at all, and only if nobody has changed one of these rows meanwhile."}
      </p>
      {outdated && outdatedId !== undefined ? (
        <div role="alert" className="flex flex-col gap-2 rounded-md border bg-bad-soft p-3 text-13">
          <p>
            <strong className="font-medium">Nothing was changed.</strong> The row with {wordsOf(outdated.key)}{" "}
            was changed or deleted by somebody else since it was read here.
          </p>
          <div>
            <Button size="sm" onClick={() => onDrop(outdatedId)}>
              Drop this change
            </Button>
          </div>
        </div>
      ) : (
        <ErrorNotice what="They can't be made as they are." error={trial.error} />
      )}
    </ConfirmDialog>
  );
}

function Change({ entry: { key, set, before, deleted } }: { entry: StagedRow }) {
  if (deleted) return <span className="font-medium text-bad">The row with {wordsOf(key)} is deleted.</span>;
  return (
    <>
      <span className="font-medium">Row with {wordsOf(key)}</span>
      {Object.entries(set).map(([column, text]) => (
        <span key={column} className="block break-words font-mono text-12">
          {column}: <del className="text-muted">{worded(before[column])}</del> → <ins>{text ?? "null"}</ins>
        </span>
      ))}
    </>
  );
}

const worded = (value: unknown) => (value === null || value === undefined ? "null" : shown(value));
