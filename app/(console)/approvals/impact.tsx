"use client";

import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { type Approval, byPolicy } from "#app/(console)/approvals/words.ts";
import { Address } from "#components/address-names.tsx";
import { useNetworks } from "#components/networks.tsx";
import { useTRPC } from "#components/trpc.tsx";
import { Amount, Credits, Usd } from "#components/ui/amount.tsx";
import { cn } from "#components/ui/cn.ts";
import { inDigits } from "#components/ui/digits.ts";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import type { BalanceChange, Impact } from "#server/wallets/impact/schema.ts";

const bounds = { exactly: "", at_most: "at most ", at_least: "at least " };
const isNegative = (amount: string | null) => amount?.startsWith("-") ?? false;

/** Returns the impact of approving in the current state; null if nothing is pending, or nothing is known to change. */
export function useImpact(approval: Approval): ReactNode {
  const trpc = useTRPC();
  const { id: approvalId, kind, status } = approval;
  const isPending = status === "pending";
  const ofWallet = useQuery({
    ...trpc.approvals.impact.read.queryOptions({ approvalId }),
    enabled: isPending && byPolicy(approval),
  });
  const ofAction = useQuery({
    ...trpc.approvals.changes.read.queryOptions({ approvalId }),
    enabled: isPending && kind === "service_action",
  });
  if (!isPending) return null;
  if (ofWallet.isLoading || ofAction.isLoading) return <Skeleton className="h-24 w-full" />;
  const error = ofWallet.error ?? ofAction.error;
  if (error) return <ErrorNotice what="The changes that it would make could not be read." error={error} />;
  if (ofWallet.data?.impact) return <WalletImpact impact={ofWallet.data.impact} />;
  const { changes, maximumCredits } = ofAction.data ?? { changes: [], maximumCredits: null };
  return maximumCredits === null ? null : <ActionChanges changes={changes} maximumCredits={maximumCredits} />;
}

/** Shows balances and caps before and after, and other consequences. */
function WalletImpact({ impact }: { impact: Impact }) {
  const { refusals, balances, cap, feeAtMost, simulation, allowances } = impact;
  return (
    <div className="flex min-w-0 flex-col gap-2 text-13">
      {refusals.length > 0 && (
        <p role="alert" className="rounded-md border border-warn/40 bg-warn-soft p-2.5">
          Approved now, it would fail: {refusals.join(" ")}
        </p>
      )}
      {simulation?.status === "reverted" && (
        <p role="alert" className="rounded-md border border-warn/40 bg-warn-soft p-2.5">
          The chain would refuse it now: {simulation.reason ?? "it reverts without a reason."}
        </p>
      )}
      {(balances.length > 0 || cap) && (
        <Rows>
          {balances.map((balance) => (
            <BalanceRow key={`${balance.network} ${balance.asset}`} balance={balance} />
          ))}
          {cap && <CapRow cap={cap} valueUsd={impact.valueUsd} />}
        </Rows>
      )}
      {allowances.map(({ symbol, amount, spender }) => (
        <div key={`${symbol} ${spender}`} className="text-warn">
          Lets this address take{" "}
          {amount === null ? `any amount of ${symbol}` : <Amount value={amount} unit={symbol} />} whenever it
          wants:
          <div className="text-ink">
            <Address address={spender} />
          </div>
        </div>
      ))}
      <p className="text-muted">
        {feeAtMost && (
          <>
            The network takes at most <Amount value={feeAtMost.amount} unit={feeAtMost.symbol} />
            {feeAtMost.valueUsd !== null && (
              <>
                {" "}
                (<Usd value={feeAtMost.valueUsd} />)
              </>
            )}{" "}
            beside that.{" "}
          </>
        )}
        {simulation?.status === "succeeded" &&
          `Simulated on block ${inDigits(simulation.blockNumber ?? 0)}, where it succeeds.`}
        {simulation?.status === "unavailable" &&
          "This chain’s node simulates nothing: decoded from its bytes."}
      </p>
    </div>
  );
}

function BalanceRow({ balance }: { balance: BalanceChange }) {
  const { nameOf } = useNetworks();
  const { network, symbol, before, change, bound, after, promised } = balance;
  return (
    <Row
      name={
        <>
          {symbol} <span className="text-muted">on {nameOf(network)}</span>
        </>
      }
      change={
        <>
          {bounds[bound]}
          {isNegative(change) ? "" : "+"}
          <Amount value={change} unit={symbol} />
        </>
      }
      before={before !== null && <Amount value={before} unit={symbol} />}
      after={after !== null && <Amount value={after} unit={symbol} />}
      bad={isNegative(after)}
      note={
        promised !== "0" && (
          <>
            Of it <Amount value={promised} unit={symbol} /> is reserved for other transactions
          </>
        )
      }
    />
  );
}

/** Shows the used part of today's cap before and after; `of` names the wallet where there are several. */
export function CapRow({
  cap,
  valueUsd,
  of,
}: {
  cap: NonNullable<Impact["cap"]>;
  valueUsd: string | null;
  of?: ReactNode;
}) {
  const { limitUsd, beforeUsd, afterUsd } = cap;
  return (
    <Row
      name={<>Today’s cap, used{of && <> of {of}</>}</>}
      change={
        valueUsd === null ? (
          "no price"
        ) : (
          <>
            +<Usd value={valueUsd} />
          </>
        )
      }
      before={<Usd value={beforeUsd} />}
      after={afterUsd !== null && <Usd value={afterUsd} />}
      bad={afterUsd !== null && Number(afterUsd) > Number(limitUsd)}
      note={
        <>
          Of <Usd value={limitUsd} /> a day
        </>
      }
    />
  );
}

/** Shows the changes that a service action would make. */
function ActionChanges({
  changes,
  maximumCredits,
}: {
  changes: readonly { name: string; before: string | null; after: string | null }[];
  maximumCredits: number;
}) {
  return (
    <div className="flex min-w-0 flex-col gap-2 text-13">
      {changes.length > 0 && (
        <Rows>
          {changes.map(({ name, before, after }) => (
            <Row
              key={name}
              name={name}
              before={before}
              after={after ?? <span className="text-bad">Gone</span>}
            />
          ))}
        </Rows>
      )}
      <p className="text-muted">
        {maximumCredits === 0 ? (
          "The call costs no credits."
        ) : (
          <>
            The call costs at most <Credits value={maximumCredits} />.
          </>
        )}
      </p>
    </div>
  );
}

/** The list of changes. */
export function Rows({ children }: { children: ReactNode }) {
  return (
    <ul aria-label="What it changes" className="flex min-w-0 flex-col rounded-md border bg-canvas">
      {children}
    </ul>
  );
}

/** Shows one value before and after: `USD on Base · 1,000 USD → 750 USD · -250 USD`. */
function Row({
  name,
  change,
  before,
  after,
  bad = false,
  note,
}: {
  name: ReactNode;
  change?: ReactNode;
  before: ReactNode;
  after: ReactNode;
  bad?: boolean;
  note?: ReactNode;
}) {
  return (
    <li className="flex min-w-0 flex-wrap items-baseline justify-between gap-x-4 gap-y-0.5 border-line px-3 py-2 not-last:border-b">
      <span className="min-w-0 break-words">
        {name}
        {note && <span className="block text-12 text-muted">{note}</span>}
      </span>
      <span className="ml-auto min-w-0 break-words text-right">
        <span className="text-muted">{before || "unknown"}</span> <span aria-hidden>→</span>
        <span className="sr-only">becomes</span>{" "}
        <span className={cn("font-medium", bad && "text-bad")}>{after || "unknown"}</span>
        {change && <span className="block text-12 text-muted">{change}</span>}
      </span>
    </li>
  );
}
