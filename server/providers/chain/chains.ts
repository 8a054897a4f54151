import { type Address, createPublicClient, defineChain, type PublicClient } from "viem";
import { nodeTransport } from "./node-transport.ts";
import { type SandboxAccounts, sandboxAccounts } from "./sandbox/accounts.ts";

/** An asset that the operator lists for a chain. */
export interface Token {
  /** `native`, or the token's address with its EIP-55 checksum. */
  asset: "native" | Address;
  symbol: string;
  name: string;
  decimals: number;
}

/** The contracts of a Uniswap v3. */
interface Venue {
  factory: Address;
  quoter: Address;
  router: Address;
  /** The pools that prices are read from; by default all between listed tokens, by their weight. */
  pools?: readonly Address[] | null;
}

/** The settings of a chain. */
export interface ChainSettings {
  /** EIP-155. */
  chainId: number;
  name: string;
  rpcUrl: string;
  /** True for an embedded chain, which has a faucet and a public address. */
  sandbox: boolean;
  /** The number of blocks after which a transaction is confirmed, and after which it is final. */
  confirmations: number;
  finality: number;
  /** The maximum fee per gas that a wallet offers, in gwei, whatever the node suggests. */
  maxGasPriceGwei?: number | undefined;
  contracts: {
    multicall3: Address;
    /** The token that wraps the native asset. */
    wrappedNative: Address;
    /** The token that counts as 1 USD; payments by x402 are made in it (EIP-3009). */
    usd: Address;
    /** The contracts of Uniswap v3; without them there are no prices, swaps or orders on this chain. */
    venue: Venue | null;
    /** The bridge contract for swaps to other chains. */
    bridge: Address | null;
  };
  /** The native asset first. */
  tokens: readonly Token[];
}

/** A chain of this installation, with a client of its JSON-RPC. */
export interface Chain extends ChainSettings {
  /** CAIP-2. */
  network: `eip155:${number}`;
  client: PublicClient;
}

export interface Chains {
  all: readonly Chain[];
  /** The chain with this CAIP-2 id. */
  find(network: string): Chain | undefined;
  /** The accounts that operate the sandbox's chains; null with real chains. */
  accounts(): SandboxAccounts | null;
}

/** Creates the clients of the configured chains, without connecting yet. */
export function openChains(settings: readonly ChainSettings[], mnemonic: string | null = null): Chains {
  const all = settings.map(
    (chain): Chain => ({
      ...chain,
      network: `eip155:${chain.chainId}`,
      client: connect(chain),
    }),
  );
  const byNetwork = new Map<string, Chain>(all.map((chain) => [chain.network, chain]));
  let accounts: SandboxAccounts | null | undefined;
  return {
    all,
    find: (network) => byNetwork.get(network),
    accounts() {
      accounts ??= mnemonic === null ? null : sandboxAccounts(mnemonic);
      return accounts;
    },
  };
}

function connect({ chainId, name, rpcUrl, contracts, tokens }: ChainSettings): PublicClient {
  const native = tokens.find(({ asset }) => asset === "native");
  const chain = defineChain({
    id: chainId,
    name,
    nativeCurrency: { name: native?.name ?? "Ether", symbol: native?.symbol ?? "ETH", decimals: 18 },
    // Only the transport knows the node's address, which may contain a key.
    rpcUrls: { default: { http: [] } },
    contracts: { multicall3: { address: contracts.multicall3 } },
  });
  return createPublicClient({ chain, transport: nodeTransport(chainId, rpcUrl) });
}
