import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNetworks } from "#components/networks.tsx";
import { useTRPC } from "#components/trpc.tsx";

const NATIVE = "10";
const TOKENS = "1000";

/** Gives wallets test money on the sandbox's chains; `offered` is false if there are none. */
export function useFaucet() {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [network] = useNetworks().sandbox;
  const fund = useMutation(trpc.wallets.faucet.mutationOptions());
  const give = useMutation({
    async mutationFn(walletId: string) {
      if (!network) return;
      const { balances } = await queries.fetchQuery(trpc.wallets.balances.read.queryOptions({ walletId }));
      const usd = balances.find((balance) => balance.network === network && balance.symbol === "USD");
      await fund.mutateAsync({ walletId, network, asset: "native", amount: NATIVE });
      if (usd) await fund.mutateAsync({ walletId, network, asset: usd.asset, amount: TOKENS });
    },
    onSuccess: () => queries.invalidateQueries(trpc.wallets.pathFilter()),
  });
  return { give, offered: network !== undefined };
}
