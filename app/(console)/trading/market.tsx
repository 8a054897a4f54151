"use client";

import { useQuery } from "@tanstack/react-query";
import { useFilters } from "#components/table/use-filters.ts";
import { useTRPC } from "#components/trpc.tsx";
import { Usd } from "#components/ui/amount.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { inBrowser } from "#components/ui/in-browser.tsx";
import { Figure, Section } from "#components/ui/section.tsx";
import { Segments } from "#components/ui/segments.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { RelativeTime } from "#components/ui/time.tsx";

const POLL_MS = 10_000;

const PriceChart = inBrowser(
  () => import("#app/(console)/trading/price-chart.tsx").then(({ PriceChart }) => PriceChart),
  <Skeleton className="h-87" />,
);

const Depth = inBrowser(
  () => import("#app/(console)/trading/depth.tsx").then(({ Depth }) => Depth),
  <Skeleton className="h-86.5" />,
);

/** Shows a market's price now and in the last hours; the address names the market. */
export function Market() {
  const trpc = useTRPC();
  const filters = useFilters(["market"], { keepsPage: true });
  const { data, error } = useQuery({
    ...trpc.trading.markets.list.queryOptions(),
    refetchInterval: POLL_MS,
  });
  const markets = data?.markets ?? [];
  const market = markets.find(({ symbol }) => symbol === filters.values.market) ?? markets[0];
  if (data && !market) return null;
  return (
    <Section
      title="Market"
      action={
        markets.length > 1 && (
          <Segments
            label="Market"
            options={markets.map(({ symbol }) => ({ value: symbol, label: symbol }))}
            value={market?.symbol ?? ""}
            onChange={(symbol) => filters.set("market", symbol)}
          />
        )
      }
    >
      <ErrorNotice what="The markets could not be loaded." error={error} />
      {market && (
        <>
          <div className="grid gap-3 sm:grid-cols-2">
            <Figure
              label={`${market.symbol} now`}
              value={priceOf(market.priceUsd)}
              hint={market.observedAt && <RelativeTime at={market.observedAt} />}
            />
            <Figure
              label="Average"
              value={priceOf(market.averageUsd)}
              hint="Of 30 minutes; policies value by the higher of the two"
            />
          </div>
          <PriceChart symbol={market.symbol} />
          <Depth symbol={market.symbol} />
        </>
      )}
    </Section>
  );
}

const priceOf = (usd: string | null) => (usd === null ? "No price" : <Usd value={usd} />);
