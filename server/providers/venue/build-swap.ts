import { type Address, encodeFunctionData, type Hex, zeroAddress } from "viem";
import { routerAbi } from "#server/providers/chain/abi.ts";
import { pathOf } from "./routes.ts";
import type { SwapOrder, VenueCall } from "./venue.ts";

/** Returns the router's call for a quoted trade; unwrapping and refunding are in the same transaction. */
export function buildSwap(router: Address, { quote, recipient, limit, deadline }: SwapOrder): VenueCall {
  const unwraps = quote.to === "native";
  // The zero address is the router itself, which then unwraps.
  const receiver = unwraps ? zeroAddress : recipient;
  const exactIn = quote.kind === "exactIn";
  const steps: Hex[] = [
    exactIn
      ? encodeFunctionData({
          abi: routerAbi,
          functionName: "exactInput",
          args: [
            {
              path: pathOf(quote.hops, "forwards"),
              recipient: receiver,
              deadline,
              amountIn: quote.amountIn,
              amountOutMinimum: limit,
            },
          ],
        })
      : encodeFunctionData({
          abi: routerAbi,
          functionName: "exactOutput",
          args: [
            {
              path: pathOf(quote.hops, "backwards"),
              recipient: receiver,
              deadline,
              amountOut: quote.amountOut,
              amountInMaximum: limit,
            },
          ],
        }),
  ];
  if (unwraps) {
    const least = exactIn ? limit : quote.amountOut;
    steps.push(encodeFunctionData({ abi: routerAbi, functionName: "unwrapWETH9", args: [least, recipient] }));
  }
  const most = exactIn ? quote.amountIn : limit;
  if (quote.from === "native" && !exactIn)
    steps.push(encodeFunctionData({ abi: routerAbi, functionName: "refundETH" }));
  return {
    to: router,
    value: quote.from === "native" ? most : 0n,
    data: encodeFunctionData({ abi: routerAbi, functionName: "multicall", args: [steps] }),
    gas: quote.gas,
  };
}
