import type { ShownRun } from "#app/(console)/agents/queries.ts";
import type { Column } from "#components/table/column.ts";
import { DataTable } from "#components/table/data-table.tsx";
import { Section } from "#components/ui/section.tsx";
import { Badge } from "#components/ui/status.tsx";
import { RelativeTime } from "#components/ui/time.tsx";

type Entry = ShownRun["timeline"][number];

const tones = { info: "neutral", warn: "warn", error: "bad" } as const;

const columns: Column<Entry>[] = [
  { header: "At", plain: true, cell: ({ at }) => <RelativeTime at={at} />, width: "8rem" },
  { header: "Type", cell: ({ type, level }) => <Badge tone={tones[level]}>{type}</Badge>, width: "6rem" },
  { header: "Step", cell: ({ step }) => <span className="break-words">{step ?? "–"}</span> },
  { header: "Message", cell: ({ message }) => <span className="break-words">{message}</span> },
];

/** Shows the run's timeline, newest first. */
export function RunTimeline({ run }: { run: ShownRun }) {
  return (
    <Section title="Timeline">
      <DataTable
        label="Timeline"
        columns={columns}
        rows={run.timeline.toReversed()}
        rowId={({ seq }) => String(seq)}
        empty={null}
      />
    </Section>
  );
}
