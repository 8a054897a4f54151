import { type Address, concatHex, type Hex } from "viem";
import { z } from "zod";
import { swapRoutes } from "#db/schema/swaps.ts";
import { newId, uuidOf } from "#server/base/ids.ts";
import { operation } from "#server/operation/operation.ts";
import { assignmentOf } from "#server/operation/tenancy.ts";
import type { BridgeCall } from "#server/providers/bridge/bridge.ts";
import { enqueueWatch } from "./jobs.ts";
import { type Planned, planSwap, slippedBy } from "./plan-swap.ts";
import { storedCall } from "./queries.ts";
import { PreparedSwap, PrepareSwap, type SwapStep } from "./schema.ts";

export const prepareSwap = operation({
  id: "swaps.prepare",
  method: "POST",
  path: "/swaps/prepare",
  summary: "Prepare a swap for a wallet of your own",
  description:
    "Returns unsigned steps for a wallet outside the platform. Sign and send them unchanged; the platform follows the route on the chain.",
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
    const { sender, recipient = sender } = body;
    const minimumOf = slippedBy(body.slippageBps);
    const planned = await planSwap(db, { request: body, sender, recipient, managed: false, minimumOf });
    const { from, to, nextBlock, destinationBlock, expiresAt } = planned.plan;
    const routeId = newId("route");
    const call = { ...planned.call, data: taggedWith(routeId, planned.call.data) };
    await db.transaction(async (tx) => {
      await tx.insert(swapRoutes).values({
        ...(await assignmentOf(tx, caller)),
        id: routeId,
        status: "prepared",
        sender,
        recipient,
        from,
        to,
        nextBlock,
        destinationBlock,
        call: storedCall(call),
        expiresAt: new Date(expiresAt),
      });
      await enqueueWatch(tx, from.network);
    });
    const steps = stepsOf({ ...planned, call }, recipient);
    return { prepared: { routeId, steps, minimumReceived: to.minimum, expiresAt } };
  },
});

/** Contracts ignore bytes behind their arguments; the route's id there makes the calldata unique. */
function taggedWith(routeId: string, data: Hex): Hex {
  return concatHex([data, `0x${uuidOf("route", routeId)?.replaceAll("-", "")}`]);
}

function stepsOf({ trade, approvals, call, plan }: Planned, recipient: Address): z.input<typeof SwapStep>[] {
  const { from, to, spender, type } = trade;
  const { network } = from.chain;
  const given = `${plan.from.amount} ${from.token.symbol}`;
  const wanted = `at least ${plan.to.minimum} ${to.token.symbol}`;
  const description =
    type === "bridge"
      ? `Deposit ${given} in the bridge for ${wanted} on ${to.chain.network}, received by ${recipient}. Not delivered in time, it can be refunded.`
      : `Swap ${given} for ${wanted}, received by ${recipient}.`;
  const last = { type, network, ...shown(call), description };
  const steps = approvals.map((approval, nth) => ({
    type: "approve" as const,
    network,
    ...shown(approval),
    description:
      nth === approvals.length - 1
        ? `Let ${spender} take exactly ${given}.`
        : `Let ${spender} take nothing: ${from.token.symbol} changes an allowance only from zero.`,
  }));
  return [...steps, last];
}

const shown = ({ to, data, value, gas }: BridgeCall) => ({
  to,
  data,
  value: String(value),
  gas: String(gas),
});
