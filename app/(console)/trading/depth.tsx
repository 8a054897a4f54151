"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "#components/trpc.tsx";
import { Amount, Usd } from "#components/ui/amount.tsx";
import { cn } from "#components/ui/cn.ts";
import { groupDigits } from "#components/ui/digits.ts";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";

const POLL_MS = 10_000;

/** Shows how far orders of several sizes would move a market's price, based on the pools' reserves. */
export function Depth({ symbol }: { symbol: string }) {
  const trpc = useTRPC();
  const { data, error } = useQuery({
    ...trpc.trading.depth.read.queryOptions({ symbol }),
    refetchInterval: POLL_MS,
  });
  if (error) return <ErrorNotice what="The depth could not be read." error={error} />;
  if (!data) return <Skeleton className="h-86.5" />;
  const { priceUsd, levels } = data.depth;
  if (priceUsd === null) return null;
  const [base] = symbol.split("-");
  const farthest = Math.max(
    ...levels.flatMap(({ buyPrice, sellPrice }) =>
      [buyPrice, sellPrice].flatMap((price) => (price === null ? [] : Math.abs(awayFrom(priceUsd, price)))),
    ),
  );
  return (
    <table className="w-full text-13 tabular-nums">
      <caption className="pb-2 text-left font-medium">What would an order of {symbol} cost?</caption>
      <thead>
        <tr className="border-b text-muted">
          <th className="py-1.5 text-left font-normal">Order</th>
          <th className="py-1.5 text-right font-normal">Buys at</th>
          <th className="py-1.5 text-right font-normal">Sells at</th>
        </tr>
      </thead>
      <tbody>
        {levels.map(({ sizeUsd, quantity, buyPrice, sellPrice }) => (
          <tr key={sizeUsd} className="border-b align-top">
            <th scope="row" className="py-1.5 pr-2 text-left font-normal">
              <span className="block">{groupDigits(sizeUsd)} USD</span>
              <span className="block text-12 text-muted">
                <Amount value={quantity} unit={base ?? symbol} />
              </span>
            </th>
            <Side price={buyPrice} priceUsd={priceUsd} farthest={farthest} tone="bg-ok" />
            <Side price={sellPrice} priceUsd={priceUsd} farthest={farthest} tone="bg-bad" />
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Shows an average price, with its distance from the market's price in words and as a bar. */
function Side({
  price,
  priceUsd,
  farthest,
  tone,
}: {
  price: string | null;
  priceUsd: string;
  farthest: number;
  tone: string;
}) {
  if (price === null) return <td className="py-1.5 pl-2 text-right text-muted">More than the pools hold</td>;
  const away = awayFrom(priceUsd, price);
  return (
    <td className="py-1.5 pl-2 text-right">
      <Usd value={price} />
      <span className="block text-12 text-muted">
        {away < 0 ? "−" : "+"}
        {Math.abs(away).toFixed(2)} %
      </span>
      <span aria-hidden className="mt-1 flex justify-end">
        <span
          className={cn("h-1 rounded-full opacity-60", tone)}
          style={{ width: `${farthest > 0 ? Math.max(2, (Math.abs(away) / farthest) * 100) : 0}%` }}
        />
      </span>
    </td>
  );
}

/** Returns the distance from the market's price in percent; floats, since the number is only displayed. */
const awayFrom = (priceUsd: string, price: string) => (Number(price) / Number(priceUsd) - 1) * 100;
