"use client";

import { useSuspenseQuery } from "@tanstack/react-query";
import { useSymbols } from "#app/(console)/_quote/use-symbols.ts";
import { WalletLink } from "#app/(console)/wallets/wallet-link.tsx";
import { useNetworks } from "#components/networks.tsx";
import { routes } from "#components/routes.ts";
import { useTRPC } from "#components/trpc.tsx";
import { Amount, Credits } from "#components/ui/amount.tsx";
import { Copyable } from "#components/ui/copyable.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { TextLink } from "#components/ui/link.tsx";
import { Facts } from "#components/ui/section.tsx";
import { SideModal } from "#components/ui/side-modal.tsx";
import { Status } from "#components/ui/status.tsx";
import { ExactTime } from "#components/ui/time.tsx";

/** Shows a swap's progress as it happens. */
export function SwapPanel({ swapId }: { swapId: string }) {
  const trpc = useTRPC();
  const { symbolOf } = useSymbols();
  const { nameOf } = useNetworks();
  const { swap } = useSuspenseQuery(trpc.swaps.read.queryOptions({ swapId })).data;
  const { from, to, failure, approvalId } = swap;
  const symbol = symbolOf(to.network, to.asset);
  return (
    <SideModal title="Swap" parent={routes.swaps.list()} wide>
      {failure && <ErrorNotice what="It did not come to its end." error={{ message: failure.message }} />}
      <div aria-live="polite">
        <Facts
          items={[
            { name: "Status", value: <Status value={swap.status} /> },
            {
              name: "Given",
              value: (
                <Amount
                  value={from.amount}
                  unit={`${symbolOf(from.network, from.asset)} on ${nameOf(from.network)}`}
                />
              ),
            },
            {
              name: "Expected",
              value: <Amount value={to.expected} unit={`${symbol} on ${nameOf(to.network)}`} />,
            },
            { name: "At least", value: <Amount value={to.minimum} unit={symbol} /> },
            {
              name: "Received",
              value: to.received ? <Amount value={to.received} unit={symbol} /> : "Nothing yet",
            },
            {
              name: "Wallet",
              value: <WalletLink walletId={swap.walletId} />,
            },
            ...(approvalId
              ? [
                  {
                    name: "Approval",
                    value: <TextLink href={routes.approvals.read(approvalId)}>{approvalId}</TextLink>,
                  },
                ]
              : []),
            ...swap.transactions.map(({ network, hash }) => ({
              name: `On ${nameOf(network)}`,
              value: <Copyable value={hash} full />,
            })),
            { name: "Charge", value: <Credits value={swap.chargedCredits} /> },
            { name: "Created", value: <ExactTime at={swap.createdAt} /> },
            ...(swap.endedAt ? [{ name: "Ended", value: <ExactTime at={swap.endedAt} /> }] : []),
            { name: "Id", value: <Copyable value={swap.id} full /> },
          ]}
        />
      </div>
    </SideModal>
  );
}
