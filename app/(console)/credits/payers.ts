import type { ClientEvmSigner } from "@x402/evm";
import type { EIP1193Provider } from "viem";
import type { useTRPCClient } from "#components/trpc.tsx";
import type { Wallet } from "#server/wallets/schema.ts";

/** Returns the browser's wallet (EIP-1193), if it has one. */
export function browserWallet(): EIP1193Provider | undefined {
  return (window as { ethereum?: EIP1193Provider }).ethereum;
}

/** Returns a signer that uses the browser's wallet, which asks the person. */
export async function payByBrowser(provider: EIP1193Provider): Promise<ClientEvmSigner> {
  const { createWalletClient, custom } = await import("viem");
  const [address] = await provider.request({ method: "eth_requestAccounts" });
  if (!address) throw { message: "The browser's wallet shows no account. Unlock it, and allow this page." };
  const wallet = createWalletClient({ account: address, transport: custom(provider) });
  return { address, signTypedData: (data) => wallet.signTypedData(data as never) };
}

/** Returns a signer that uses one of the account's own wallets, within its policy. */
export function payByWallet(
  client: ReturnType<typeof useTRPCClient>,
  { id: walletId, address }: Pick<Wallet, "id" | "address">,
): ClientEvmSigner {
  return {
    address,
    async signTypedData(data) {
      const typedData = JSON.parse(
        JSON.stringify(data, (_, value) => (typeof value === "bigint" ? value.toString() : value)),
      );
      const { quote } = await client.wallets.signatures.quote.mutate({
        walletId,
        kind: "typed_data",
        typedData,
      });
      const { signature } = await client.wallets.signatures.create.mutate({ walletId, quoteId: quote.id });
      if (!signature.signature)
        throw { message: "The wallet's policy wants an approval for this payment. Use another wallet." };
      return signature.signature as `0x${string}`;
    },
  };
}
