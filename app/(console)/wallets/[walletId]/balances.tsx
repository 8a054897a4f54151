"use client";

import { useQuery } from "@tanstack/react-query";
import { useFaucet } from "#app/(console)/wallets/use-faucet.ts";
import { Network } from "#components/networks.tsx";
import type { Column } from "#components/table/column.ts";
import { DataTable } from "#components/table/data-table.tsx";
import { useTRPC } from "#components/trpc.tsx";
import { Amount, Usd } from "#components/ui/amount.tsx";
import { Button } from "#components/ui/button.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { Mark } from "#components/ui/mark.tsx";
import { Section } from "#components/ui/section.tsx";
import { toast } from "#components/ui/toast.tsx";
import type { Balance } from "#server/wallets/schema.ts";

const columns: Column<Balance>[] = [
  {
    header: "Asset",
    cell: ({ symbol }) => (
      <>
        <Mark name={symbol} />
        {symbol}
      </>
    ),
  },
  { header: "Network", cell: ({ network }) => <Network id={network} />, minor: true },
  {
    header: "Available",
    cell: ({ available, symbol }) => <Amount value={available} unit={symbol} />,
    align: "end",
  },
  {
    header: "Reserved",
    cell: ({ reserved, symbol }) => <Amount value={reserved} unit={symbol} />,
    align: "end",
    minor: true,
  },
  {
    header: "Worth",
    plain: true,
    cell: ({ valueUsd }) => (valueUsd === null ? "no price" : <Usd value={valueUsd} />),
    align: "end",
  },
];

const isZero = (amount: string) => /^[0.]*$/.test(amount);

/** Shows the wallet's balances on every chain, read from the chains. */
export function Balances({ walletId, mayFund }: { walletId: string; mayFund: boolean }) {
  const trpc = useTRPC();
  const { data, error, isError } = useQuery(trpc.wallets.balances.read.queryOptions({ walletId }));
  const nonZero = data?.balances.filter(({ available, reserved }) => !isZero(available) || !isZero(reserved));
  const others = (data?.balances.length ?? 0) - (nonZero?.length ?? 0);
  return (
    <Section title="Balances" action={mayFund && <Faucet walletId={walletId} />}>
      <ErrorNotice what="The balances could not be read." error={error} />
      <DataTable
        label="Balances"
        columns={columns}
        rows={nonZero}
        failed={isError}
        rowId={({ network, asset }) => `${network}/${asset}`}
        empty={<p className="p-4 text-muted">Nothing yet. Send something to the address below.</p>}
        footer={
          others > 0 &&
          nonZero?.length !== 0 && (
            <p className="mt-2 text-12 text-muted">
              It holds nothing of {others} other {others === 1 ? "asset" : "assets"}.
            </p>
          )
        }
      />
    </Section>
  );
}

/** Gives test money on the sandbox's chains; shows nothing if there are none. */
function Faucet({ walletId }: { walletId: string }) {
  const { give, offered } = useFaucet();
  if (!offered) return null;
  const onSuccess = () => toast("Test money has arrived.");
  return (
    <div className="flex flex-col items-end gap-2">
      <Button pending={give.isPending} onClick={() => give.mutate(walletId, { onSuccess })}>
        Get test money
      </Button>
      <ErrorNotice what="The faucet gave nothing." error={give.error} />
    </div>
  );
}
