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

/** A deposit to be delivered on another chain; the zero address stands for the native asset. */
export interface BridgeOrder {
  depositor: Address;
  recipient: Address;
  inputToken: Address;
  inputAmount: bigint;
  originChainId: bigint;
  destinationChainId: bigint;
  outputToken: Address;
  minimumOutput: bigint;
  /** The deadline for fills, in Unix seconds. */
  fillDeadline: bigint;
  nonce: bigint;
}

/** A transaction to be sent. */
export interface BridgeCall {
  to: Address;
  value: bigint;
  data: Hex;
  gas: bigint;
}

/** The statuses of an order on one of its chains. */
const ORDER_STATUSES = ["none", "deposited", "claimed", "refunded", "filled"] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

/** How long after the deadline a refund must wait, so that the last fill can still be claimed. */
export const REFUND_DELAY_SECONDS = 60n;

/** The number of blocks that are searched at once. */
export const MAX_BLOCKS = 2000n;

const DEPOSIT_GAS = 250_000n;
const FILL_GAS = 250_000n;
const SETTLE_GAS = 200_000n;

/** Returns the asset of an order's token. */
export const assetOf = (token: Address): Asset => (isAddressEqual(token, zeroAddress) ? "native" : token);

const tokenOf = (asset: Asset): Address => (asset === "native" ? zeroAddress : asset);

/** Returns the bridge contract of a chain; null if its settings name none. */
export function bridgeOf({ client, contracts }: Chain) {
  const address = contracts.bridge;
  if (address === null) return null;
  const contract = { address, abi: bridgeAbi } as const;

  /** Returns the first event from a block on: nodes refuse to search many blocks at once. */
  async function inRanges<Found>(
    fromBlock: bigint,
    find: (range: { fromBlock: bigint; toBlock: bigint }) => Promise<Found | null>,
  ): Promise<Found | null> {
    const head = await client.getBlockNumber({ cacheTime: 0 });
    for (let from = fromBlock; from <= head; from += MAX_BLOCKS) {
      const last = from + MAX_BLOCKS - 1n;
      const found = await find({ fromBlock: from, toBlock: last < head ? last : head });
      if (found) return found;
    }
    return null;
  }

  return {
    /** The contract that takes the input: a token needs an allowance for it. */
    address,
    /** Reads the relayer's address, which fills and claims. */
    readRelayer: () => client.readContract({ ...contract, functionName: "attester" }),

    /** Reads the status of an order, now or at the end of a block. */
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
      /** The deadline of the deposit by the origin's clock, in Unix seconds. */
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

    /** Returns the deposit of a mined transaction; null if there is none. */
    readDeposit({ logs }: Pick<TransactionReceipt, "logs">): { orderId: Hex; order: BridgeOrder } | null {
      const ours = logs.filter((log) => isAddressEqual(log.address, address));
      const [deposited] = parseEventLogs({ abi: bridgeAbi, eventName: "Deposited", logs: ours });
      return deposited ? { orderId: deposited.args.orderId, order: deposited.args.order } : null;
    },

    /** Returns the deposits of these blocks. */
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

    /** Returns the transaction that filled the order, and the amount; null before. */
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

    /** Returns the transaction that refunded the input; null before. */
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
