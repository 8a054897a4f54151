import type { Point } from "#components/chart/series.ts";

/** A horizontal line at a value. */
export type Mark = { label: string; value: number };

/** Draws a candle per moment: filled if the price fell, hollow if it rose, so that colour is not needed to tell. */
export function Candles({ points, height }: { points: Point[]; height: (value: number) => number }) {
  return (
    <div className="absolute inset-0 flex">
      {points.map(({ at, open, high, low, close }) => {
        if (open == null || high == null || low == null || close == null)
          return <span key={at} className="flex-1" />;
        const rose = close >= open;
        const body = [Math.min(open, close), Math.max(open, close)] as const;
        return (
          <div
            key={at}
            className="relative min-w-0 flex-1"
            style={{ "--colour": rose ? "var(--ok)" : "var(--bad)" }}
          >
            <span
              className="absolute left-1/2 w-px -translate-x-1/2 bg-(--colour)"
              style={{ bottom: `${height(low)}%`, height: `${height(high) - height(low)}%` }}
            />
            <span
              className="absolute left-1/2 min-h-0.5 w-3/5 max-w-4 -translate-x-1/2 border border-(--colour)"
              style={{
                bottom: `${height(body[0])}%`,
                height: `${height(body[1]) - height(body[0])}%`,
                background: rose ? "var(--canvas)" : "var(--colour)",
              }}
            />
          </div>
        );
      })}
    </div>
  );
}

export function Marks({ marks, height }: { marks: readonly Mark[]; height: (value: number) => number }) {
  return marks.map(({ label, value }, place) => (
    <div
      // biome-ignore lint/suspicious/noArrayIndexKey: two orders may be alike.
      key={place}
      className="absolute inset-x-0 border-info border-t border-dashed"
      style={{ bottom: `${height(value)}%` }}
    >
      <span className="absolute right-0 -translate-y-1/2 rounded-sm bg-canvas px-1 text-info">{label}</span>
    </div>
  ));
}
