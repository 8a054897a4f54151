import type { Metadata } from "next";
import { LazyTransactionPanel } from "#app/(console)/wallets/[walletId]/lazy-transaction-panel.tsx";
import { Hydrate, prefetchSubject, trpc } from "#app/trpc-server.tsx";

export const metadata: Metadata = { title: "Transaction" };

export default async function TransactionPage({
  params,
}: {
  params: Promise<{ walletId: string; transactionId: string }>;
}) {
  const { walletId, transactionId } = await params;
  await prefetchSubject(trpc.wallets.transactions.read.queryOptions({ walletId, transactionId }));
  return (
    <Hydrate>
      <LazyTransactionPanel walletId={walletId} transactionId={transactionId} />
    </Hydrate>
  );
}
