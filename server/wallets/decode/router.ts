import {
  type Address,
  type Hex,
  isAddressEqual,
  parseAbi,
  size,
  slice,
  toFunctionSelector,
  zeroAddress,
} from "viem";
import type { Call, Effect } from "../effects.ts";
import { type Decoded, decodeWith, nothing, undecoded } from "./function.ts";

/** Uniswap's SwapRouter, and SwapRouter02, whose structs have no deadline. */
export const SWAPS = parseAbi([
  "function exactInputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 deadline, uint256 amountIn, uint256 amountOutMinimum, uint160 sqrtPriceLimitX96) swap)",
  "function exactInputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 amountIn, uint256 amountOutMinimum, uint160 sqrtPriceLimitX96) swap)",
  "function exactInput((bytes path, address recipient, uint256 deadline, uint256 amountIn, uint256 amountOutMinimum) swap)",
  "function exactInput((bytes path, address recipient, uint256 amountIn, uint256 amountOutMinimum) swap)",
  "function exactOutputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 deadline, uint256 amountOut, uint256 amountInMaximum, uint160 sqrtPriceLimitX96) swap)",
  "function exactOutputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 amountOut, uint256 amountInMaximum, uint160 sqrtPriceLimitX96) swap)",
  "function exactOutput((bytes path, address recipient, uint256 deadline, uint256 amountOut, uint256 amountInMaximum) swap)",
  "function exactOutput((bytes path, address recipient, uint256 amountOut, uint256 amountInMaximum) swap)",
]);

/** The functions that pass on or return the router's own balance. */
export const HANDOVERS = parseAbi([
  "function unwrapWETH9(uint256 amountMinimum, address recipient)",
  "function unwrapWETH9(uint256 amountMinimum)",
  "function sweepToken(address token, uint256 amountMinimum, address recipient)",
  "function sweepToken(address token, uint256 amountMinimum)",
  "function refundETH()",
]);

const BATCHES = parseAbi([
  "function multicall(bytes[] calls)",
  "function multicall(uint256 deadline, bytes[] calls)",
]);

const MULTICALL = toFunctionSelector("function multicall(bytes[] calls)");

interface Swap {
  tokenIn?: Address;
  path?: Hex;
  recipient: Address;
  amountIn?: bigint;
  amountInMaximum?: bigint;
}

/** Addresses that SwapRouter02 reads as its caller and as itself. */
const CALLER = "0x0000000000000000000000000000000000000001";
const ITSELF: Address = "0x0000000000000000000000000000000000000002";

/** Returns the effects of a call of the venue's router; null for any other call. */
export function decodeRouterCall({ chain, from, to, value, data }: Call): Effect[] | null {
  const router = chain.contracts.venue?.router;
  if (!router || !isAddressEqual(to, router)) return null;
  const calls = batchedCalls(data);
  const handovers = calls.flatMap((call) => decodeWith(HANDOVERS, call) ?? []);
  const isRouter = (address: Address) =>
    [router, ITSELF, zeroAddress].some((own) => isAddressEqual(own, address));
  const foreign = (address: Address) =>
    !isRouter(address) && !isAddressEqual(address, from) && !isAddressEqual(address, CALLER);
  // Intermediate balances of the router go to the receivers of these calls.
  const stranger = handovers.map(receiverOf).find((receiver) => receiver && foreign(receiver)) ?? router;

  let unspent = value;
  const effects = calls.flatMap((call): Effect => {
    const decoded = decodeWith(SWAPS, call);
    if (!decoded) {
      const handover = decodeWith(HANDOVERS, call);
      return handover ? nothing(router, handover.method) : undecoded(router, call);
    }
    const swap: Swap = decoded.args[0];
    const amount = swap.amountIn ?? swap.amountInMaximum ?? 0n;
    const token = inputOf(decoded, swap);
    // The router pays in the wrapped asset out of the value that was sent, where that suffices.
    const native = isAddressEqual(token, chain.contracts.wrappedNative) && amount <= unspent;
    if (native) unspent -= amount;
    const recipient = foreign(swap.recipient) ? swap.recipient : isRouter(swap.recipient) ? stranger : router;
    return {
      type: "transfer",
      asset: native ? "native" : token,
      amount,
      recipient,
      contract: router,
      method: decoded.method,
    };
  });
  if (unspent === 0n) return effects;
  const kept = { type: "transfer", asset: "native", amount: unspent, recipient: stranger } as const;
  return [{ ...kept, contract: null, method: null }, ...effects];
}

/** The calls that a batch makes; of anything else itself. */
export function batchedCalls(data: Hex): Hex[] {
  const batch = isPlainBatch(data) ? decodeWith(BATCHES, data) : null;
  return batch ? (batch.args.at(-1) as Hex[]) : [data];
}

/**
 * True if the calls of a batch together are no longer than the batch itself: they may all refer to the same bytes, so
 * that little calldata would decode to thousands of times its size.
 */
function isPlainBatch(data: Hex): boolean {
  const word = (at: number) => Number(`0x${data.slice(10 + 2 * at, 74 + 2 * at) || "0"}`);
  const inHead = data.slice(0, 10).toLowerCase() === MULTICALL ? 0 : 32;
  const list = word(inHead);
  const count = word(list);
  if (!(count <= size(data) / 32)) return false;
  let bytes = 0;
  for (let nth = 0; nth < count; nth++) bytes += word(list + 32 + word(list + 32 + 32 * nth));
  return bytes <= size(data);
}

function receiverOf({ args }: Decoded<typeof HANDOVERS>): Address | null {
  const last = args.at(-1);
  return typeof last === "string" ? last : null;
}

/** The token that a swap spends; a path for an exact output stands in reverse. */
function inputOf({ name }: Decoded<typeof SWAPS>, { tokenIn, path = "0x" }: Swap): Address {
  if (tokenIn) return tokenIn;
  if (size(path) < 20) return zeroAddress;
  return name === "exactInput" ? slice(path, 0, 20) : slice(path, size(path) - 20);
}
