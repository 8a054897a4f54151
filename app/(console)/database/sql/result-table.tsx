import { Scrolling } from "#components/ui/scrolling.tsx";

export type ResultColumn = { name: string; type: string };

const head =
  "sticky top-0 border-b bg-sunken px-3 py-1.5 text-left font-medium text-12 text-muted whitespace-nowrap";

/** Shows the rows as PostgreSQL returned them; wide tables scroll inside. */
export function ResultTable({
  label,
  columns,
  rows,
}: {
  label: string;
  columns: readonly ResultColumn[];
  rows: readonly unknown[][];
}) {
  return (
    <Scrolling label={label} className="max-h-[max(24rem,calc(100dvh-41.5rem))] rounded-md border bg-canvas">
      <table aria-label={label} className="w-full border-separate border-spacing-0 text-13">
        <thead>
          <tr>
            {columns.map(({ name, type }, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns may share a name, and never move.
              <th key={place} scope="col" className={head}>
                {name} <span className="font-normal font-mono">{type}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, number) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows may be equal, and never move.
            <tr key={number}>
              {row.map((value, place) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: cells may be equal, and never move.
                <td key={place} className="max-w-96 truncate border-b px-3 py-1.5 font-mono">
                  <Value value={value} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolling>
  );
}

function Value({ value }: { value: unknown }) {
  if (value === null) return <span className="text-muted italic">null</span>;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return <span title={text}>{text}</span>;
}
