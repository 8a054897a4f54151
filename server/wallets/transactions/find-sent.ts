import { type Address, type Hex, keccak256, serializeTransaction, type Transaction } from "viem";
import { currentTime } from "#server/base/clock.ts";
import type { Chain } from "#server/providers/chain/chains.ts";
import type { TransactionRow } from "./move-transaction.ts";
import type { Attempt } from "./open-transactions.ts";
import { callOf } from "./precheck.ts";

/** A transaction of an address that the chain has. */
export type ChainTransaction = Transaction<bigint, number, false>;

/** How many blocks are searched one by one if a node lacks the states of old blocks. */
const MAX_BLOCKS = 20_000n;
const BLOCKS_AT_ONCE = 20;
/** How long a failed search is not repeated: it costs the node a lot. */
const PAUSE_MS = 600_000;

const failures = new Map<string, { until: number; reason: unknown }>();

/**
 * Finds the transaction that used a nonce of an address: by the address's transaction count in older states, or block
 * by block if the node lacks those. Null if no transaction did; throws if that cannot be determined.
 */
export async function findSent(
  chain: Chain,
  address: Address,
  nonce: number,
): Promise<ChainTransaction | null> {
  const key = `${chain.network} ${address} ${nonce}`;
  const failed = failures.get(key);
  if (failed && failed.until > performance.now()) throw failed.reason;
  failures.delete(key);
  const head = await chain.client.getBlockNumber({ cacheTime: 0 });
  const number = await findBlock(chain, address, nonce, head);
  if (number !== null) return findInBlock(chain, address, nonce, number);
  const found = await lookThrough(chain, address, nonce, head);
  if (found || head <= MAX_BLOCKS) return found;
  const reason = new Error(
    `Nonce ${nonce} of ${address} is used on ${chain.network} by a transaction that the platform does not know, and the node can't find it. Set CHAINS to a node with the chain's history.`,
  );
  failures.set(key, { until: performance.now() + PAUSE_MS, reason });
  throw reason;
}

/**
 * Finds the block that used the nonce: doubling the distance from the newest block, then by bisection. Null if states
 * are missing.
 */
async function findBlock({ client }: Chain, address: Address, nonce: number, head: bigint) {
  const isUsed = async (blockNumber: bigint) =>
    (await client.getTransactionCount({ address, blockNumber })) > nonce;
  try {
    let after = head;
    let step = 1n;
    let before = head - step;
    while (before >= 0n && (await isUsed(before))) {
      after = before;
      step *= 2n;
      before -= step;
    }
    if (before < 0n) before = -1n;
    while (after - before > 1n) {
      const middle = (after + before) / 2n;
      if (await isUsed(middle)) after = middle;
      else before = middle;
    }
    return after;
  } catch {
    return null;
  }
}

async function lookThrough(
  chain: Chain,
  address: Address,
  nonce: number,
  head: bigint,
): Promise<ChainTransaction | null> {
  const last = head > MAX_BLOCKS ? head - MAX_BLOCKS : 0n;
  for (let from = head; from >= last; from -= BigInt(BLOCKS_AT_ONCE)) {
    const numbers = Array.from({ length: BLOCKS_AT_ONCE }, (_, nth) => from - BigInt(nth));
    const looks = numbers.filter((number) => number >= last);
    const found = await Promise.all(looks.map((number) => findInBlock(chain, address, nonce, number)));
    const sent = found.find((one) => one !== null);
    if (sent) return sent;
  }
  return null;
}

async function findInBlock({ client }: Chain, address: Address, nonce: number, blockNumber: bigint) {
  const { transactions } = await client.getBlock({ blockNumber, includeTransactions: true });
  const from = address.toLowerCase();
  return transactions.find((one) => one.from.toLowerCase() === from && one.nonce === nonce) ?? null;
}

/**
 * Compares a transaction with its row: `cancels` is false if it makes the row's call, true if it is an empty one that
 * cancels the row. Null if it is neither.
 */
export function matchRow(sent: ChainTransaction, row: TransactionRow): { cancels: boolean } | null {
  const { to, value, data } = callOf(row);
  const target = sent.to?.toLowerCase();
  const input = sent.input.toLowerCase();
  if (target === to.toLowerCase() && sent.value === value && input === data.toLowerCase())
    return { cancels: false };
  const isEmpty = target === sent.from.toLowerCase() && sent.value === 0n && input === "0x";
  return isEmpty ? { cancels: true } : null;
}

/** Returns the bytes of a transaction as an accepted attempt; null if they do not match its hash. */
export function attemptOf(
  sent: ChainTransaction,
  { attempt, cancels }: Pick<Attempt, "attempt" | "cancels">,
): Attempt | null {
  if (sent.type !== "eip1559") return null;
  const { chainId, nonce, to, value, input, gas, maxFeePerGas, maxPriorityFeePerGas, accessList } = sent;
  const { r, s, yParity = 0 } = sent;
  const content = {
    chainId,
    nonce,
    to,
    value,
    data: input,
    gas,
    maxFeePerGas,
    maxPriorityFeePerGas,
    accessList,
  };
  const raw: Hex = serializeTransaction({ type: "eip1559", ...content }, { r, s, yParity });
  if (keccak256(raw) !== sent.hash) return null;
  const at = currentTime();
  const fees = { maxFee: maxFeePerGas, priorityFee: maxPriorityFeePerGas };
  return { attempt, hash: sent.hash, raw, ...fees, cancels, signedAt: at, acceptedAt: at };
}
