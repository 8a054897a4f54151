"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { candlesOf, lastMinutes, limitsNear } from "#app/(console)/trading/candles.ts";
import { TimeChart } from "#components/chart/time-chart.tsx";
import { useFilters } from "#components/table/use-filters.ts";
import { useTRPC } from "#components/trpc.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { Segments } from "#components/ui/segments.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { clockTime } from "#components/ui/time-words.ts";

const POLL_MS = 10_000;

const views = [
  { value: "candle", label: "Candles" },
  { value: "line", label: "Line" },
];

/** The ranges of the prices that the API keeps, three hours. */
const whole = { value: "", label: "3 h", words: "3 hours", minutes: 180 };
const ranges = [
  { value: "30m", label: "30 min", words: "30 minutes", minutes: 30 },
  { value: "1h", label: "1 h", words: "hour", minutes: 60 },
  whole,
];

/**
 * Shows a market's pool prices of a range of time, which the address keeps, with the limits of open orders. It uses the
 * viewer's time zone, so the server never renders it.
 */
export function PriceChart({ symbol }: { symbol: string }) {
  const trpc = useTRPC();
  const [view, setView] = useState("candle");
  const filters = useFilters(["range"], { keepsPage: true });
  const range = ranges.find(({ value }) => value === filters.values.range) ?? whole;
  const { data, error } = useQuery({
    ...trpc.trading.prices.list.queryOptions({ symbol }),
    refetchInterval: POLL_MS,
  });
  const ofStatus = (status: "open" | "partially_filled") =>
    trpc.trading.orders.list.queryOptions({ symbol, status, limit: 100 });
  const open = useQuery(ofStatus("open")).data?.orders ?? [];
  const partlyFilled = useQuery(ofStatus("partially_filled")).data?.orders ?? [];
  if (error) return <ErrorNotice what="The prices could not be loaded." error={error} />;
  if (!data) return <Skeleton className="h-87 max-sm:h-96" />;
  const prices = range === whole ? data.prices : lastMinutes(data.prices, range.minutes);
  const candles = candlesOf(prices);
  const { marks, beyond } = limitsNear(candles, [...open, ...partlyFilled]);
  const shared = {
    question: `What was ${symbol} worth in the last ${range.words}?`,
    unit: "USD",
    fit: true,
    marks,
    formatAt: clockTime,
  };
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <div className="flex flex-wrap justify-between gap-2">
        <Segments label="Chart" options={views} value={view} onChange={setView} />
        <Segments
          label="Range"
          options={ranges}
          value={range.value}
          onChange={(value) => filters.set("range", value)}
        />
      </div>
      {view === "candle" ? (
        <TimeChart
          {...shared}
          kind="candle"
          moments="a candle for each five minutes in your time zone, hollow where the price rose"
          points={candles}
          series={candleSeries}
        />
      ) : (
        <TimeChart
          {...shared}
          kind="line"
          moments="a point for each minute in your time zone, from the lowest to the highest price"
          // Floats are precise enough for drawing.
          points={prices.map(({ at, priceUsd }) => ({ at, price: Number(priceUsd) }))}
          series={[{ key: "price", label: "Price" }]}
        />
      )}
      {beyond > 0 && (
        <p className="text-12 text-muted">
          {beyond === 1 ? "The limit of one open order is" : `The limits of ${beyond} open orders are`} too
          far from these prices to be drawn.
        </p>
      )}
    </div>
  );
}

const candleSeries = [
  { key: "open" as const, label: "Open" },
  { key: "high" as const, label: "High" },
  { key: "low" as const, label: "Low" },
  { key: "close" as const, label: "Close" },
];
