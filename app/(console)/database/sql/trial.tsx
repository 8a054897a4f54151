import { ResultTable } from "#app/(console)/database/sql/result-table.tsx";
import { Button } from "#components/ui/button.tsx";
import { inDigits } from "#components/ui/digits.ts";

type Result = {
  rowCount: number | null;
  command?: string | undefined;
  columns?: { name: string; type: string }[] | undefined;
  rows?: unknown[][] | undefined;
};

export type TrialProps = {
  result: Result;
  pending: boolean;
  onApply: () => void;
  onDiscard: () => void;
};

export type AppliedProps = { result: Result };

const SHOWN = 100;

const rowsOf = (count: number) => `${inDigits(count)} ${count === 1 ? "row" : "rows"}`;

/** Shows the effects that a statement would have, with the button that applies it. */
export function Trial({ result, pending, onApply, onDiscard }: TrialProps) {
  const { rowCount, command, columns, rows } = result;
  return (
    <section aria-label="Trial" className="flex min-w-0 flex-col gap-3 rounded-md border bg-warn-soft p-3">
      <div role="status" className="flex flex-col gap-1 text-13">
        <p className="font-medium">
          {command ?? "The statement"} would{" "}
          {rowCount === null ? "succeed" : `${columns ? "return" : "change"} ${rowsOf(rowCount)}`}.
        </p>
        <p>
          It was tried and rolled back: nothing has changed but the numbers that sequences gave out.
          {rowCount !== null && " It is applied only if the number of rows is the same then."}
        </p>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <Button
          variant="primary"
          pending={pending}
          onKeyDown={(event) => event.repeat && event.preventDefault()}
          onClick={onApply}
        >
          Apply change
        </Button>
        <Button onClick={onDiscard}>Discard</Button>
        <span className="text-12">Ctrl or ⌘ with Shift and Enter applies it too.</span>
      </div>
      {columns && rows && rows.length > 0 && (
        <>
          <ResultTable label="Rows of the trial" columns={columns} rows={rows.slice(0, SHOWN)} />
          {rows.length > SHOWN && (
            <p className="text-12">
              The first {SHOWN} of {rowsOf(rows.length)}.
            </p>
          )}
        </>
      )}
    </section>
  );
}

/** Shows the effects of an applied statement. */
export function Applied({ result: { rowCount, command } }: AppliedProps) {
  return (
    <p role="status" className="rounded-md border bg-ok-soft p-3 text-13">
      Applied: {command ?? "the statement"}
      {rowCount !== null && `, ${rowsOf(rowCount)}`}.
    </p>
  );
}
