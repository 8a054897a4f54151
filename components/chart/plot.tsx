"use client";

import {
  Bar,
  CartesianGrid,
  ComposedChart,
  Line,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from "recharts";
import { type ChartProps, colourOf } from "#components/chart/time-chart.tsx";

const compact = new Intl.NumberFormat("en-US", { notation: "compact" });
const fitted = new Intl.NumberFormat("en-US", { maximumSignificantDigits: 6 });
const tick = { fill: "var(--muted)", fontSize: 12 };

/** The drawing of a `TimeChart`, in a file of its own so that it can load late. */
export function Plot<Key extends string>({
  points,
  series,
  kind,
  fit,
  formatAt,
}: Required<Pick<ChartProps<Key>, "points" | "series" | "kind" | "fit" | "formatAt">>) {
  return (
    <ResponsiveContainer>
      <ComposedChart
        data={points}
        accessibilityLayer={false}
        margin={{ top: 4, right: 4, bottom: 0, left: 0 }}
      >
        <CartesianGrid vertical={false} stroke="var(--line)" />
        <XAxis
          dataKey="at"
          tickFormatter={formatAt}
          tick={tick}
          tickLine={false}
          axisLine={{ stroke: "var(--line)" }}
          minTickGap={24}
        />
        <YAxis
          domain={[fit ? "auto" : 0, "auto"]}
          allowDecimals={fit}
          tickFormatter={(value) => (fit ? fitted : compact).format(value)}
          tick={tick}
          tickLine={false}
          axisLine={false}
          width={fit ? 64 : 44}
        />
        <Tooltip
          isAnimationActive={false}
          cursor={{ fill: "var(--hover)", stroke: "var(--line)" }}
          labelFormatter={(at) => formatAt(String(at))}
          formatter={(value) => Number(value).toLocaleString("en-US")}
          contentStyle={{
            background: "var(--raised)",
            border: "1px solid var(--line)",
            borderRadius: 6,
            fontSize: 12,
          }}
          itemStyle={{ color: "var(--ink)" }}
        />
        {series.map((each, index) =>
          kind === "bar" ? (
            <Bar
              key={each.key}
              dataKey={each.key}
              name={each.label}
              fill={colourOf(each, index)}
              stackId="all"
              maxBarSize={28}
              isAnimationActive={false}
            />
          ) : (
            <Line
              key={each.key}
              dataKey={each.key}
              name={each.label}
              stroke={colourOf(each, index)}
              strokeWidth={2}
              dot={false}
              isAnimationActive={false}
            />
          ),
        )}
      </ComposedChart>
    </ResponsiveContainer>
  );
}
