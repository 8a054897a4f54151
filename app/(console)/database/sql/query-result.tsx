import { Button } from "#components/ui/button.tsx";
import { inDigits } from "#components/ui/digits.ts";
import { Scrolling } from "#components/ui/scrolling.tsx";

type Result = {
  columns: { name: string; type: string }[];
  rows: unknown[];
  rowCount: number;
  nextCursor: string | null;
  durationMs: number;
};

const head =
  "sticky top-0 border-b bg-sunken px-3 py-1.5 text-left font-medium text-12 text-muted whitespace-nowrap";

/** A page of rows as PostgreSQL answered them; wide ones scroll inside. */
export function QueryResult({ result, onNext }: { result: Result; onNext: (cursor: string) => void }) {
  const { columns, rows, rowCount, nextCursor, durationMs } = result;
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <p className="text-13 text-muted" role="status">
        {inDigits(rowCount)} {rowCount === 1 ? "row" : "rows"}
        {nextCursor && ", and more,"} in {durationMs} ms
      </p>
      <Scrolling label="Rows" className="max-h-96 rounded-md border">
        <table aria-label="Rows" className="w-full border-separate border-spacing-0 text-13">
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
                {(row as unknown[]).map((value, place) => (
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
      {nextCursor && (
        <div>
          <Button onClick={() => onNext(nextCursor)}>Next rows</Button>
        </div>
      )}
    </div>
  );
}

function Value({ value }: { value: unknown }) {
  if (value === null) return <span className="text-muted italic">null</span>;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return <span title={text}>{text}</span>;
}
