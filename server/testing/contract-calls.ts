import { type Abi, encodeFunctionData, parseAbi, zeroAddress } from "viem";
import { decodeCall } from "#server/wallets/decode-call.ts";
import type { Call, Effect } from "#server/wallets/effects.ts";

export const ME = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
export const ADA = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";
export const USD = "0x1111111111111111111111111111111111111111";
export const WETH = "0x2222222222222222222222222222222222222222";
export const ROUTER = "0x3333333333333333333333333333333333333333";
export const BRIDGE = "0x5555555555555555555555555555555555555555";
export const STRANGE = "0x4444444444444444444444444444444444444444";

export const chain: Call["chain"] = {
  contracts: {
    multicall3: zeroAddress,
    wrappedNative: WETH,
    usd: USD,
    bridge: BRIDGE,
    venue: { factory: zeroAddress, quoter: zeroAddress, router: ROUTER },
  },
  tokens: [
    { asset: "native", symbol: "ETH", name: "Ether", decimals: 18 },
    { asset: USD, symbol: "USD", name: "Test USD", decimals: 6 },
    { asset: WETH, symbol: "WETH", name: "Wrapped Ether", decimals: 18 },
  ],
};

export const data = (signature: string, args: unknown[]) =>
  encodeFunctionData({ abi: parseAbi([`function ${signature}`] as readonly string[]) as Abi, args });

export const decode = (call: Partial<Call>) =>
  decodeCall({ chain, from: ME, to: USD, value: 0n, data: "0x", ...call });

export const transfer = (asset: Effect["asset"], amount: bigint, recipient: Effect["recipient"]) => ({
  type: "transfer",
  asset,
  amount,
  recipient,
});
export const allowance = (
  asset: Effect["asset"],
  amount: Effect["amount"],
  recipient: Effect["recipient"],
) => ({
  type: "allowance",
  asset,
  amount,
  recipient,
});

export const SINGLE =
  "exactInputSingle((address, address, uint24, address, uint256, uint256, uint256, uint160))";
export const swap = (tokenIn: string, tokenOut: string, recipient: string, amount: bigint) =>
  data(SINGLE, [[tokenIn, tokenOut, 3000, recipient, 1n, amount, 1n, 0n]]);
export const multicall = (...calls: string[]) => data("multicall(bytes[])", [calls]);
