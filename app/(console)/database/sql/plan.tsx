/** How PostgreSQL would find the answer, as it says it. */
export function Plan({ rows }: { rows: unknown[][] }) {
  return (
    <section aria-label="Plan" className="rounded-md border bg-sunken">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard. */}
      <pre tabIndex={0} className="overflow-x-auto p-3 font-mono text-12">
        {rows.map(([line]) => String(line)).join("\n")}
      </pre>
    </section>
  );
}
