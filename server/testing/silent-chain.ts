import { zeroAddress } from "viem";
import type { ChainSettings } from "#server/providers/chain/chains.ts";

/** The silent chain's USD token. */
export const SILENT_USD = "0x1111111111111111111111111111111111111111";

/** A chain whose node is not running, for code that reads names, decimals and contracts without calling the chain. */
export const SILENT_CHAIN: ChainSettings = {
  chainId: 31337,
  name: "Sandbox",
  rpcUrl: "http://127.0.0.1:1",
  sandbox: true,
  confirmations: 1,
  finality: 1,
  contracts: {
    multicall3: zeroAddress,
    wrappedNative: zeroAddress,
    usd: SILENT_USD,
    venue: null,
    bridge: null,
  },
  tokens: [
    { asset: "native", symbol: "ETH", name: "Ether", decimals: 18 },
    { asset: SILENT_USD, symbol: "USD", name: "Test USD", decimals: 6 },
  ],
};
