import {
  type Address,
  encodeFunctionData,
  type Hex,
  isAddressEqual,
  parseEventLogs,
  type TransactionReceipt,
  zeroAddress,
} from "viem";
import { bridgeAbi } from "#server/providers/chain/abi.ts";
import type { Chain } from "#server/providers/chain/chains.ts";

export type Asset = "native" | Address;

/** What was deposited to be delivered on another chain; the zero address stands for the native asset. */
export interface BridgeOrder {
  depositor: Address;
  recipient: Address;
  inputToken: Address;
  inputAmount: bigint;
  originChainId: bigint;
  destinationChainId: bigint;
  outputToken: Address;
  minimumOutput: bigint;
  /** Unix seconds: nobody fills it later. */
  fillDeadline: bigint;
  nonce: bigint;
}

/** A transaction as it is to be sent. */
export interface BridgeCall {
  to: Address;
  value: bigint;
  data: Hex;
  gas: bigint;
}

/** How an order stands, on the side that is asked. */
export const ORDER_STATUSES = ["none", "deposited", "claimed", "refunded", "filled"] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

/** How long after the deadline a refund waits, so that the last fill can still be claimed. */
export const REFUND_DELAY_SECONDS = 60n;

/** How many blocks are looked through at once. */
export const MOST_BLOCKS = 2000n;

const DEPOSIT_GAS = 250_000n;
const FILL_GAS = 250_000n;
const SETTLE_GAS = 200_000n;

/** The asset that an order's token stands for. */
export const assetOf = (token: Address): Asset => (isAddressEqual(token, zeroAddress) ? "native" : token);

const tokenOf = (asset: Asset): Address => (asset === "native" ? zeroAddress : asset);

/** The chain's end of the bridge; null where its settings name none. */
export function bridgeOf({ client, contracts }: Chain) {
  const address = contracts.bridge;
  if (address === null) return null;
  const contract = { address, abi: bridgeAbi } as const;

  /** The first that is found from a block on: nodes refuse to look through many blocks at once. */
  async function inRanges<Found>(
    fromBlock: bigint,
    find: (range: { fromBlock: bigint; toBlock: bigint }) => Promise<Found | null>,
  ): Promise<Found | null> {
    const head = await client.getBlockNumber({ cacheTime: 0 });
    for (let from = fromBlock; from <= head; from += MOST_BLOCKS) {
      const last = from + MOST_BLOCKS - 1n;
      const found = await find({ fromBlock: from, toBlock: last < head ? last : head });
      if (found) return found;
    }
    return null;
  }

  return {
    /** The contract that takes what is given: a token has to be approved for it. */
    address,
    /** Who may claim for fills, and fills. */
    readRelayer: () => client.readContract({ ...contract, functionName: "attester" }),

    /** How an order stands, or stood at the end of a block. */
    async readStatus(orderId: Hex, blockNumber?: bigint): Promise<OrderStatus> {
      const status = await client.readContract({
        ...contract,
        functionName: "status",
        args: [orderId],
        blockNumber,
      });
      return ORDER_STATUSES[status] ?? "none";
    },

    buildDeposit(deposit: {
      from: Asset;
      amount: bigint;
      to: Asset;
      minimum: bigint;
      recipient: Address;
      destinationChainId: number;
      /** Unix seconds by the origin's clock: later it reverts. */
      depositDeadline: bigint;
      fillDeadline: bigint;
    }): BridgeCall {
      const { from, amount, to, minimum, recipient } = deposit;
      const data = encodeFunctionData({
        abi: bridgeAbi,
        functionName: "deposit",
        args: [
          ...([recipient, tokenOf(from), amount] as const),
          ...([BigInt(deposit.destinationChainId), tokenOf(to), minimum] as const),
          ...([deposit.depositDeadline, deposit.fillDeadline] as const),
        ],
      });
      return { to: address, value: from === "native" ? amount : 0n, data, gas: DEPOSIT_GAS };
    },

    buildFill(order: BridgeOrder, amount: bigint): BridgeCall {
      const data = encodeFunctionData({ abi: bridgeAbi, functionName: "fill", args: [order, amount] });
      return {
        to: address,
        value: assetOf(order.outputToken) === "native" ? amount : 0n,
        data,
        gas: FILL_GAS,
      };
    },

    buildClaim(order: BridgeOrder, relayer: Address): BridgeCall {
      const data = encodeFunctionData({ abi: bridgeAbi, functionName: "claim", args: [order, relayer] });
      return { to: address, value: 0n, data, gas: SETTLE_GAS };
    },

    buildRefund(order: BridgeOrder): BridgeCall {
      const data = encodeFunctionData({ abi: bridgeAbi, functionName: "refund", args: [order] });
      return { to: address, value: 0n, data, gas: SETTLE_GAS };
    },

    /** What a mined transaction has deposited; null where it has not. */
    readDeposit({ logs }: Pick<TransactionReceipt, "logs">): { orderId: Hex; order: BridgeOrder } | null {
      const ours = logs.filter((log) => isAddressEqual(log.address, address));
      const [deposited] = parseEventLogs({ abi: bridgeAbi, eventName: "Deposited", logs: ours });
      return deposited ? { orderId: deposited.args.orderId, order: deposited.args.order } : null;
    },

    /** The deposits of these blocks. */
    async findDeposits(fromBlock: bigint, toBlock: bigint) {
      const events = await client.getContractEvents({
        ...contract,
        eventName: "Deposited",
        fromBlock,
        toBlock,
        strict: true,
      });
      return events.map(({ args: { orderId, order } }) => ({ orderId, order: order as BridgeOrder }));
    },

    /** The transaction that delivered, and how much; null before. */
    async findFill(orderId: Hex, fromBlock: bigint) {
      return inRanges(fromBlock, async (range) => {
        const [fill] = await client.getContractEvents({
          ...contract,
          eventName: "Filled",
          args: { orderId },
          ...range,
          strict: true,
        });
        if (!fill) return null;
        const { transactionHash: hash, blockNumber, blockHash, args } = fill;
        return { hash, blockNumber, blockHash, amount: args.amount, relayer: args.relayer };
      });
    },

    /** The transaction that gave the input back; null before. */
    async findRefund(orderId: Hex, fromBlock: bigint) {
      return inRanges(fromBlock, async (range) => {
        const [refund] = await client.getContractEvents({
          ...contract,
          eventName: "Refunded",
          args: { orderId },
          ...range,
          strict: true,
        });
        if (!refund) return null;
        const { transactionHash: hash, blockNumber, blockHash } = refund;
        return { hash, blockNumber, blockHash };
      });
    },
  };
}

export type Bridge = NonNullable<ReturnType<typeof bridgeOf>>;
