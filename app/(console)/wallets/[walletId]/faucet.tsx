"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNetworks } from "#components/networks.tsx";
import { useTRPC } from "#components/trpc.tsx";
import { Button } from "#components/ui/button.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { toast } from "#components/ui/toast.tsx";
import type { Balance } from "#server/wallets/schema.ts";

const NATIVE = "10";
const TOKENS = "1000";

/** Gives test money on the sandbox's chains; nothing where there is none. */
export function Faucet({ walletId, balances }: { walletId: string; balances: readonly Balance[] }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const { sandbox } = useNetworks();
  const fund = useMutation(trpc.wallets.faucet.mutationOptions());
  const give = useMutation({
    async mutationFn() {
      const [network] = sandbox;
      const usd = balances.find((balance) => balance.network === network && balance.symbol === "USD");
      if (!network) return;
      await fund.mutateAsync({ walletId, network, asset: "native", amount: NATIVE });
      if (usd) await fund.mutateAsync({ walletId, network, asset: usd.asset, amount: TOKENS });
    },
    async onSuccess() {
      await queries.invalidateQueries(trpc.wallets.pathFilter());
      toast("Test money has arrived.");
    },
  });
  if (sandbox.length === 0) return null;
  return (
    <div className="flex flex-col items-end gap-2">
      <Button pending={give.isPending} onClick={() => give.mutate()}>
        Get test money
      </Button>
      <ErrorNotice what="The faucet gave nothing." error={give.error} />
    </div>
  );
}
