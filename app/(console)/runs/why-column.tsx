import type { Run } from "#app/(console)/runs/queries.ts";
import type { Column } from "#components/table/column.ts";

/** Shows why a run failed, for the lists of runs and of agents. */
export const whyColumn: Column<Pick<Run, "error">> = {
  header: "Why",
  plain: true,
  cell: ({ error }) => error && <Why error={error} />,
  csv: [
    { header: "Error", value: ({ error }) => error?.code },
    { header: "Failed step", value: ({ error }) => error?.step },
    { header: "Message", value: ({ error }) => error?.message },
  ],
};

function Why({ error }: { error: NonNullable<Run["error"]> }) {
  return (
    <span title={error.message}>
      {error.step && <code className="font-mono">{error.step.split(".").at(-1)}: </code>}
      {error.message}
    </span>
  );
}
