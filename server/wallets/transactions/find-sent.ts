import { type Address, type Hex, keccak256, serializeTransaction, type Transaction } from "viem";
import type { Chain } from "#server/providers/chain/chains.ts";
import type { TransactionRow } from "./move-transaction.ts";
import type { Attempt } from "./open-transactions.ts";
import { callOf } from "./precheck.ts";

/** A transaction of an address that the chain has. */
export type Sent = Transaction<bigint, number, false>;

/** How many blocks are looked through where a node no longer has the states of old blocks. */
const MOST_BLOCKS = 20_000n;
const BLOCKS_AT_ONCE = 20;
/** What could not be found is not looked for again for as long: it is a lot to ask of a node. */
const PAUSE_MS = 600_000;

const failures = new Map<string, { until: number; reason: unknown }>();

/**
 * Finds what used a nonce of an address, in whatever block it is: by the address's counts in the states of older blocks,
 * or block by block where the node has those no more. Null where no transaction did; throws where that can't be said.
 */
export async function findSent(chain: Chain, address: Address, nonce: number): Promise<Sent | null> {
  const key = `${chain.network} ${address} ${nonce}`;
  const failed = failures.get(key);
  if (failed && failed.until > Date.now()) throw failed.reason;
  failures.delete(key);
  const head = await chain.client.getBlockNumber({ cacheTime: 0 });
  const number = await findBlock(chain, address, nonce, head);
  if (number !== null) return findInBlock(chain, address, nonce, number);
  const found = await lookThrough(chain, address, nonce, head);
  if (found || head <= MOST_BLOCKS) return found;
  const reason = new Error(
    `Nonce ${nonce} of ${address} is used on ${chain.network} by what the platform does not know, and the node can't say what it was. Set CHAINS to a node with the chain's history.`,
  );
  failures.set(key, { until: Date.now() + PAUSE_MS, reason });
  throw reason;
}

/** The block that used the nonce: farther and farther back from the newest, then between. Null where states are missing. */
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
): Promise<Sent | null> {
  const last = head > MOST_BLOCKS ? head - MOST_BLOCKS : 0n;
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

/** Whether a transaction does what a row asks for; `cancels`: whether it moves nothing in its place. */
export function doesWhat(sent: Sent, row: TransactionRow): { cancels: boolean } | null {
  const { to, value, data } = callOf(row);
  const target = sent.to?.toLowerCase();
  const input = sent.input.toLowerCase();
  if (target === to.toLowerCase() && sent.value === value && input === data.toLowerCase())
    return { cancels: false };
  const isEmpty = target === sent.from.toLowerCase() && sent.value === 0n && input === "0x";
  return isEmpty ? { cancels: true } : null;
}

/** The bytes of a transaction, as an attempt that a node has accepted; null where its key did not sign it. */
export function attemptOf(sent: Sent, attempt: number, cancels: boolean): Attempt | null {
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
  const at = new Date();
  const fees = { maxFee: maxFeePerGas, priorityFee: maxPriorityFeePerGas };
  return { attempt, hash: sent.hash, raw, ...fees, cancels, signedAt: at, acceptedAt: at };
}
