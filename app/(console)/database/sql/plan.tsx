import { Scrolling } from "#components/ui/scrolling.tsx";

/** How PostgreSQL would find the answer, as it says it. */
export function Plan({ rows }: { rows: unknown[][] }) {
  return (
    <Scrolling label="Plan" className="rounded-md border bg-sunken p-3">
      <pre className="font-mono text-12">{rows.map(([line]) => String(line)).join("\n")}</pre>
    </Scrolling>
  );
}
