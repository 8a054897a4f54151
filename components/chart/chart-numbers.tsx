import { type Point, type Series, written } from "#components/chart/series.ts";
import { Scrolling } from "#components/ui/scrolling.tsx";

/** The table behind a chart. */
export function ChartNumbers({
  question,
  axis,
  points,
  series,
  formatAt,
}: {
  question: string;
  axis: string;
  points: Point[];
  series: Series[];
  formatAt: (at: string) => string;
}) {
  return (
    <Scrolling label={`${question} In numbers`} className="mt-2 max-h-80 rounded-md border">
      <table aria-label={question} className="w-full border-separate border-spacing-0">
        <thead>
          <tr>
            <th
              scope="col"
              className="sticky top-0 border-b bg-sunken px-3 py-1.5 text-left font-medium text-12 text-muted"
            >
              {axis}
            </th>
            {series.map(({ key, label }) => (
              <th
                key={key}
                scope="col"
                className="sticky top-0 border-b bg-sunken px-3 py-1.5 text-right font-medium text-12 text-muted"
              >
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {points.map((point) => (
            <tr key={point.at} className="hover:bg-hover">
              <th scope="row" className="px-3 py-1 text-left font-normal">
                {formatAt(point.at)}
              </th>
              {series.map(({ key }) => (
                <td key={key} className="px-3 py-1 text-right">
                  {written(point[key] ?? null)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolling>
  );
}
