import { and, eq } from "drizzle-orm";
import { type Address, formatUnits, type Hex, parseUnits } from "viem";
import type { Db, Transaction } from "#db/client.ts";
import { signatures } from "#db/schema/signatures.ts";
import { swaps } from "#db/schema/swaps.ts";
import { orders } from "#db/schema/trading.ts";
import { walletTransactions } from "#db/schema/transactions.ts";
import { platform } from "#server/platform.ts";
import type { Token } from "#server/providers/chain/chains.ts";
import { decodeTypedData } from "../decode/typed-data.ts";
import { decodeCall } from "../decode-call.ts";
import { tokenOf } from "../describe-effects.ts";
import type { Effect } from "../effects.ts";
import type { Signature as JudgedSignature } from "../policy/decide.ts";
import type { Payload } from "../signatures/payload.ts";
import type { BalanceChange } from "./schema.ts";

/** A resource that waits for an approval, as far as its impact depends on it. */
export interface Subject {
  network: string | null;
  /** The effects that the policy judges; for swaps and orders only the value, since their calls are built later. */
  effects: readonly Effect[];
  signature?: JudgedSignature;
  /** True if the effects suffice to judge the policy's boundaries. */
  judged: boolean;
  /** The call that will be sent, if it is known already. */
  call: { to: Address; value: bigint; data: Hex } | null;
  /** The wallet's signed balance changes in whole units, if no simulation tells them. */
  moves: Pick<BalanceChange, "network" | "asset" | "change" | "bound">[];
  fields: { name: string; value: string }[];
}

type Owned = { accountId: string; id: string };

/** Reads the effects of a transaction, a signature, a swap or an order; null if it does not exist. */
export async function readSubject(
  db: Db | Transaction,
  kind: "transaction" | "signature" | "swap" | "order",
  key: Owned,
): Promise<(Subject & { walletId: string }) | null> {
  const read = { transaction: ofTransaction, signature: ofSignature, swap: ofSwap, order: ofOrder }[kind];
  return read(db, key);
}

async function ofTransaction(db: Db | Transaction, { accountId, id }: Owned) {
  const [row] = await db
    .select()
    .from(walletTransactions)
    .where(and(eq(walletTransactions.accountId, accountId), eq(walletTransactions.id, id)));
  const chain = row && platform().chains.find(row.network);
  if (!row?.callTo || !chain) return null;
  const call = { to: row.callTo, value: BigInt(row.callValue ?? 0), data: row.callData ?? "0x" } as const;
  const { effects } = decodeCall({ chain, from: row.from, ...call });
  const { walletId, network } = row;
  const moves = transfersOf({ network, effects }).map((move) => ({ ...move, bound: "exactly" as const }));
  return { walletId, network, effects, judged: true, call, moves, fields: [] };
}

async function ofSignature(db: Db | Transaction, { accountId, id }: Owned) {
  const [row] = await db
    .select()
    .from(signatures)
    .where(and(eq(signatures.accountId, accountId), eq(signatures.id, id)));
  if (!row) return null;
  const payload = row.payload as Payload | null;
  const { fields } = row.display;
  const { walletId } = row;
  const base = { walletId, call: null, judged: true, moves: [], fields };
  if (payload?.kind !== "typed_data")
    return { ...base, network: null, effects: [], signature: { kind: "message" as const } };
  const decoded = decodeTypedData(payload.typedData);
  return { ...base, ...decoded, moves: transfersOf(decoded) };
}

/**
 * Returns the balance changes of transfers. For a signed one they are upper bounds: anybody may submit it, or nobody.
 */
function transfersOf({ network, effects }: Pick<Subject, "network" | "effects">): Subject["moves"] {
  const tokens = platform().chains.find(network ?? "")?.tokens ?? [];
  return effects.flatMap(({ type, asset, amount }) => {
    const token = tokenOf(tokens, asset);
    if (network === null || !token || type !== "transfer" || amount === "unlimited") return [];
    const change = `-${formatUnits(amount, token.decimals)}`;
    return [{ network, asset: token.asset, change, bound: "at_most" as const }];
  });
}

async function ofSwap(db: Db | Transaction, { accountId, id }: Owned) {
  const [row] = await db
    .select()
    .from(swaps)
    .where(and(eq(swaps.accountId, accountId), eq(swaps.id, id)));
  if (!row) return null;
  const { walletId, from, to } = row;
  return {
    walletId,
    network: from.network,
    effects: [spendOf(from.asset, from.amount, from.decimals)],
    judged: false,
    call: null,
    moves: [
      { network: from.network, asset: from.asset, change: `-${from.amount}`, bound: "exactly" as const },
      { network: to.network, asset: to.asset, change: to.minimum, bound: "at_least" as const },
    ],
    fields: [],
  };
}

const PRICE_DECIMALS = 18;

async function ofOrder(db: Db | Transaction, { accountId, id }: Owned) {
  const [row] = await db
    .select()
    .from(orders)
    .where(and(eq(orders.accountId, accountId), eq(orders.id, id)));
  const tokens = (row && platform().chains.find(row.network)?.tokens) ?? [];
  const base = tokens.find(({ asset }) => asset === row?.base);
  const counter = tokens.find(({ asset }) => asset === row?.counter);
  if (!row || !base || !counter) return null;
  const { walletId, network, side, quantity, boundPrice } = row;
  const units = parseUnits(quantity, base.decimals) * parseUnits(boundPrice, PRICE_DECIMALS);
  const shift = base.decimals + PRICE_DECIMALS - counter.decimals;
  const value = formatUnits(
    shift >= 0 ? units / 10n ** BigInt(shift) : units * 10n ** BigInt(-shift),
    counter.decimals,
  );
  const buys = side === "buy";
  const [paid, decimals] = buys ? [value, counter.decimals] : [quantity, base.decimals];
  return {
    walletId,
    network,
    effects: [spendOf(buys ? counter.asset : base.asset, paid, decimals)],
    judged: false,
    call: null,
    moves: buys
      ? [
          { network, asset: counter.asset, change: `-${value}`, bound: "at_most" as const },
          { network, asset: base.asset, change: quantity, bound: "exactly" as const },
        ]
      : [
          { network, asset: base.asset, change: `-${quantity}`, bound: "exactly" as const },
          { network, asset: counter.asset, change: value, bound: "at_least" as const },
        ],
    fields: [],
  };
}

function spendOf(asset: Token["asset"], amount: string, decimals: number): Effect {
  const spent = { asset, amount: parseUnits(amount, decimals) };
  return { type: "transfer", ...spent, recipient: null, contract: null, method: null };
}
