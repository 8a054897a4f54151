import { type Address, concatHex, type Hex } from "viem";
import { z } from "zod";
import { swapRoutes } from "#db/schema/swaps.ts";
import { fromUnits } from "#server/chains/amounts.ts";
import { callChain } from "#server/chains/call-chain.ts";
import { newId, uuidOf } from "#server/ids.ts";
import { invalid } from "#server/operation/errors.ts";
import { operation } from "#server/operation/operation.ts";
import { assignmentOf } from "#server/operation/tenancy.ts";
import type { BridgeCall } from "#server/providers/bridge/bridge.ts";
import { readAllowance, readClock } from "./chain-state.ts";
import { findTrade, minimumOf, type Trade } from "./find-trade.ts";
import { enqueueWatch } from "./jobs.ts";
import { storedCall } from "./queries.ts";
import { PreparedSwap, PrepareSwap, type SwapStep } from "./schema.ts";

/** How long a prepared step works. */
const LIFE_SECONDS = 600n;

export const prepareSwap = operation({
  id: "swaps.prepare",
  method: "POST",
  path: "/swaps/prepare",
  summary: "Prepare a swap for a wallet of your own",
  description:
    "Unsigned steps for a wallet that is not the platform's. Sign and send them as they are; what becomes of them is followed on the chain by the route.",
  scope: "wallets:read",
  service: "universal-swaps",
  body: PrepareSwap,
  output: z.object({ prepared: PreparedSwap }),
  status: 201,
  errors: ["service_unavailable"],
  examples: {
    body: {
      sender: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
      from: { network: "eip155:31337", asset: "native", amount: "0.1" },
      to: { network: "eip155:31337", asset: "0x5FbDB2315678afecb367f032d93F642f64180aa3" },
    },
  },

  async handler({ body, caller, db }) {
    const trade = await findTrade(db, body);
    const [sender, recipient] = [body.sender, body.recipient ?? body.sender] as [Address, Address];
    if (trade.toSenderOnly && recipient !== sender)
      throw invalid("body.recipient", "Wrapping and unwrapping pay whoever sends it. Leave recipient out.");
    const minimum = minimumOf(trade, body.slippageBps);
    const { chain } = trade.from;
    const [allowed, clock, farClock] = await Promise.all([
      readAllowance(trade, sender),
      callChain(chain, () => readClock(chain)),
      callChain(trade.to.chain, () => readClock(trade.to.chain)),
    ]);
    const deadline = clock.seconds + LIFE_SECONDS;
    const routeId = newId("route");
    const built = trade.build({ recipient, minimum, deadline });
    const call = { ...built, data: taggedWith(routeId, built.data) };
    const minimumReceived = fromUnits(minimum, trade.to.token.decimals);
    const expiresAt = new Date(Number(deadline) * 1000);
    await db.transaction(async (tx) => {
      await tx.insert(swapRoutes).values({
        ...(await assignmentOf(tx, caller)),
        ...{ id: routeId, status: "prepared", sender, recipient },
        from: { ...body.from, decimals: trade.from.token.decimals },
        to: { ...body.to, decimals: trade.to.token.decimals, minimum: minimumReceived },
        call: storedCall(call),
        nextBlock: Number(clock.block) + 1,
        destinationBlock: Number(farClock.block),
        expiresAt,
      });
      await enqueueWatch(tx, chain.network);
    });
    return {
      prepared: {
        routeId,
        steps: stepsOf(trade, { allowed, call, recipient, minimumReceived }),
        minimumReceived,
        expiresAt: expiresAt.toISOString(),
      },
    };
  },
});

/** Contracts pass by what stands behind their arguments: it makes the calldata this route's alone. */
function taggedWith(routeId: string, data: Hex): Hex {
  return concatHex([data, `0x${uuidOf("route", routeId)?.replaceAll("-", "")}`]);
}

function stepsOf(
  trade: Trade,
  last: { allowed: bigint; call: BridgeCall; recipient: Address; minimumReceived: string },
): z.input<typeof SwapStep>[] {
  const { from, to, amountIn, spender } = trade;
  const given = `${fromUnits(amountIn, from.token.decimals)} ${from.token.symbol}`;
  const wanted = `at least ${last.minimumReceived} ${to.token.symbol}`;
  const { network } = from.chain;
  const approval = last.allowed < amountIn ? trade.buildApproval() : null;
  return [
    ...(approval
      ? [
          {
            ...{ type: "approve" as const, network, ...shown(approval) },
            description: `Let ${spender} take exactly ${given}.`,
          },
        ]
      : []),
    {
      ...{ type: trade.type, network, ...shown(last.call) },
      description:
        trade.type === "bridge"
          ? `Deposit ${given} in the bridge for ${wanted} on ${to.chain.network}, received by ${last.recipient}. Not delivered in time, it can be refunded.`
          : `Swap ${given} for ${wanted}, received by ${last.recipient}.`,
    },
  ];
}

const shown = ({ to, data, value, gas }: BridgeCall) => ({
  ...{ to, data },
  value: String(value),
  gas: String(gas),
});
