"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { TimeChart } from "#components/chart/time-chart.tsx";
import { useTRPC } from "#components/trpc.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { clockTime } from "#components/ui/time-words.ts";

const POLL_MS = 10_000;

/** The last hours of a market by its pools; in the viewer's zone, and so never rendered on the server. */
export function PriceChart({ symbol }: { symbol: string }) {
  const trpc = useTRPC();
  const { data, error } = useQuery({
    ...trpc.trading.prices.list.queryOptions({ symbol }),
    placeholderData: keepPreviousData,
    refetchInterval: POLL_MS,
  });
  if (error) return <ErrorNotice what="The prices could not be loaded." error={error} />;
  if (!data) return <Skeleton className="h-80" />;
  return (
    <TimeChart
      question={`What was ${symbol} worth in the last 3 hours?`}
      unit="USD"
      moments="minutes of your own clock, from the lowest to the highest price"
      kind="line"
      fit
      // Only what is drawn are floats.
      points={data.prices.map(({ at, priceUsd }) => ({ at, price: Number(priceUsd) }))}
      series={[{ key: "price", label: "Price" }]}
      formatAt={clockTime}
    />
  );
}
