"use client";

import { useQuery } from "@tanstack/react-query";
import { Fragment } from "react";
import { useSymbols } from "#app/(console)/_quote/use-symbols.ts";
import type { paymentOf } from "#app/(console)/approvals/words.ts";
import { Address } from "#components/address-names.tsx";
import { routes } from "#components/routes.ts";
import { useTRPC } from "#components/trpc.tsx";
import { Amount } from "#components/ui/amount.tsx";
import { sumOf } from "#components/ui/digits.ts";
import { TextLink } from "#components/ui/link.tsx";
import { RelativeTime } from "#components/ui/time.tsx";
import type { Transaction } from "#server/wallets/transactions/schema.ts";

type Payment = NonNullable<ReturnType<typeof paymentOf>>;

/** Shows the amount of a payment, with the asset's name. */
export function PaidAmount({ network, asset, amount }: Payment) {
  const { symbolOf } = useSymbols();
  return <Amount value={amount} unit={symbolOf(network, asset)} />;
}

/** The highest number of earlier payments that are added up. */
const MAX_SENDS = 100;

/** Shows the recipient, their name, whether the policy's list has them, and earlier payments to them. */
export function Recipient({ walletId, to }: Payment) {
  const trpc = useTRPC();
  const wallet = useQuery(trpc.wallets.read.queryOptions({ walletId })).data?.wallet;
  const sent = useQuery(
    trpc.wallets.transactions.list.queryOptions({ walletId, to, status: "confirmed", limit: MAX_SENDS }),
  ).data;
  return (
    <>
      <Address address={to} />
      <span className="block text-13 text-muted">
        {wallet?.policy.allowedRecipients?.some((allowed) => allowed === to) &&
          "On the policy’s list of recipients. "}
        {sent && sent.transactions.length > 0 && (
          <>
            <Earlier payments={sent.transactions} more={sent.nextCursor !== null} />{" "}
            <TextLink href={routes.wallets.paymentsTo(walletId, to)}>Payments to this recipient</TextLink>
          </>
        )}
        {sent?.transactions.length === 0 && (
          <span className="text-warn">This wallet has never sent there.</span>
        )}
      </span>
    </>
  );
}

type Earlier = Pick<Transaction, "network" | "asset" | "amount" | "createdAt">;

/** Adds up earlier payments, newest first, by asset; with `more` there are earlier ones. */
function Earlier({ payments, more }: { payments: readonly Earlier[]; more: boolean }) {
  const { symbolOf } = useSymbols();
  const sums = [...Map.groupBy(payments, ({ network, asset }) => symbolOf(network, asset))]
    .map(([symbol, paid]) => ({ symbol, amount: sumOf(paid.map(({ amount }) => amount)) }))
    .filter(({ amount }) => amount !== "0");
  const times = payments.length;
  return (
    <>
      {more
        ? `Confirmed more than ${times} times before; the last ${times}`
        : `Confirmed ${times === 1 ? "once" : `${times} times`} before`}
      {sums.map(({ symbol, amount }, place) => (
        <Fragment key={symbol}>
          {place === 0 ? (more ? " are " : ", in all ") : " and "}
          <Amount value={amount} unit={symbol} />
        </Fragment>
      ))}
      , last <RelativeTime at={payments[0]?.createdAt ?? null} />.
    </>
  );
}
