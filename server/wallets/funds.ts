import { setTimeout as sleep } from "node:timers/promises";
import { type SQL, sql } from "drizzle-orm";
import { type Address, decodeFunctionData, type Hex, isAddressEqual, parseAbi } from "viem";
import type { Db, Transaction } from "#db/client.ts";
import { defined } from "#server/base/defined.ts";
import { uuidOf } from "#server/base/ids.ts";
import { fromUnits } from "#server/chains/amounts.ts";
import { callChain } from "#server/chains/call-chain.ts";
import { ApiError } from "#server/operation/errors.ts";
import { refusalOf } from "#server/operation/statement-batch.ts";
import { platform } from "#server/platform.ts";
import type { Chain, Token } from "#server/providers/chain/chains.ts";
import { readAmounts } from "#server/providers/chain/read-amounts.ts";
import { decodeCall } from "./decode-call.ts";
import { tokenOf } from "./describe-effects.ts";
import type { WalletRow } from "./queries.ts";

/** The amount of one asset that a transaction, swap, order or signature takes, in whole units. */
export interface Spend {
  asset: Token["asset"];
  amount: string;
  /** The maximum network fee; only for the native asset. */
  fee: string;
  /** For a signed transfer (EIP-3009): its nonce, which a chain accepts once, and its expiry. */
  nonce?: string;
  expiresAt?: string;
}

/** A wallet's balances, in whole units. */
export interface Balances {
  /** By the database's clock, before the chain was asked. */
  since: string;
  amounts: Record<string, string>;
}

/** The transaction, swap, order or signature for which funds are reserved. */
export interface FundsOwner {
  type: "transaction" | "swap" | "order" | "signature";
  id: string;
}

const OWN_SPENDING = parseAbi([
  "function transferFrom(address from, address to, uint256 amount)",
  "function withdraw(uint256 amount)",
]);

/**
 * Returns the amounts that a call takes from its wallet, in listed assets: its value, the amounts that its calldata
 * transfers or allows others to spend, and `maxFee` per unit of gas. An unlimited allowance reserves nothing.
 */
export function spendsOf(
  chain: Pick<Chain, "tokens" | "contracts">,
  call: { from: Address; to: Address; value: bigint; data: Hex; gas?: bigint | null | undefined },
  maxFee: bigint,
): Spend[] {
  const fee = fromUnits((call.gas ?? 0n) * maxFee, 18);
  const native: Spend = { asset: "native", amount: fromUnits(call.value, 18), fee };
  const units = new Map<Address, bigint>();
  for (const { asset, amount } of tokensOf(chain, call)) units.set(asset, (units.get(asset) ?? 0n) + amount);
  const tokens = [...units].flatMap(([asset, amount]) => {
    const token = tokenOf(chain.tokens, asset);
    return token && amount > 0n
      ? [{ asset: token.asset, amount: fromUnits(amount, token.decimals), fee: "0" }]
      : [];
  });
  return [native, ...tokens];
}

function* tokensOf(
  chain: Pick<Chain, "tokens" | "contracts">,
  call: { from: Address; to: Address; value: bigint; data: Hex },
): Generator<{ asset: Address; amount: bigint }> {
  const { from, to, data } = call;
  const own = decodeOwn(data);
  if (own?.functionName === "withdraw") {
    if (isAddressEqual(to, chain.contracts.wrappedNative)) yield { asset: to, amount: own.args[0] };
    return;
  }
  // Tokens that it takes from somebody else were never the wallet's.
  if (own?.functionName === "transferFrom" && !isAddressEqual(own.args[0], from)) return;
  for (const { asset, amount } of decodeCall({ chain, ...call }).effects)
    if (asset !== null && asset !== "native" && amount !== "unlimited") yield { asset, amount };
}

function decodeOwn(data: Hex) {
  try {
    return decodeFunctionData({ abi: OWN_SPENDING, data });
  } catch {
    return null;
  }
}

/** Reads the wallet's balances of the assets to be spent; `since` is an earlier moment of the database's clock. */
export async function readBalancesOf(
  chain: Chain,
  address: Address,
  { spends, since }: { spends: readonly Spend[]; since: Date },
): Promise<Balances> {
  const assets = spends.map(({ asset }) => asset);
  const amounts = await readAmounts(chain, address, assets);
  const shown = assets.map((asset, nth) => {
    const { decimals } = tokenOf(chain.tokens, asset) ?? { decimals: 18 };
    return [asset, fromUnits(amounts[nth] ?? 0n, decimals)] as const;
  });
  return { since: since.toISOString(), amounts: Object.fromEntries(shown) };
}

/** Returns the amounts that the platform's own call needs to move this amount of an asset. */
export function spendsOfCall(
  { asset, amount }: Pick<Spend, "asset" | "amount">,
  { value, gas = 0n }: { value: bigint; gas?: bigint | undefined },
  maxFee: bigint,
): Spend[] {
  const native: Spend = { asset: "native", amount: fromUnits(value, 18), fee: fromUnits(gas * maxFee, 18) };
  return asset === "native" ? [native] : [native, { asset, amount, fee: "0" }];
}

/** Returns the network fees among a transaction's spends. */
export const feesOfSpends = (spends: readonly Spend[]) =>
  spends.flatMap(({ asset, fee }) => (asset === "native" ? [fee] : []));

/**
 * The pauses before balances are read again if other reservations leave too little: a chain may be ahead of its stored
 * state.
 */
const PAUSES_MS = [0, 250];

/**
 * Runs work that reserves funds by the known balances, and again by current ones if other reservations leave too
 * little. Then throws the caller's error.
 */
export async function withBalances<Result>(
  db: Db,
  ask: {
    kind: FundsOwner["type"];
    chain: Chain;
    address: Address;
    spends: readonly Spend[];
    known: Balances | undefined;
  },
  work: (balances: Balances) => Promise<Result>,
): Promise<Result> {
  const { kind, chain, address, spends, known } = ask;
  const readNow = async () => {
    const [row] = await db.execute<{ now: string }>(sql`select clock_timestamp() as now`);
    const since = new Date(defined(row?.now));
    return callChain(chain, () => readBalancesOf(chain, address, { spends, since }));
  };
  let balances = known ?? (await readNow());
  for (let tries = 0; ; tries += 1) {
    try {
      return await work(balances);
    } catch (reason) {
      const refusal = refusalOf<FundsRefusal>(reason, "funds");
      if (!refusal) throw reason;
      const pause = PAUSES_MS[tries];
      if (pause === undefined) throw beyondFunds(kind, chain, refusal);
      await sleep(pause);
      balances = await readNow();
    }
  }
}

/** A reservation of a wallet's assets. */
export interface FundsReservation {
  wallet: Pick<WalletRow, "accountId" | "id">;
  network: string;
  owner: FundsOwner;
  spends: readonly Spend[];
  /** The wallet's balances; null if the funds were reserved before, by the resource from which this one comes. */
  balances: Balances | null;
  /** True to refuse amounts beyond the balance even without other reservations. */
  strict?: boolean;
}

/**
 * Reserves funds, as a statement of a batch; its result is null, or the asset for which other reservations leave too
 * little. Refused as `feeRefusalOf` says if a transaction's network fee exceeds a limit.
 */
export function reservedFunds({
  wallet,
  network,
  owner,
  spends,
  balances,
  strict = false,
}: FundsReservation): SQL {
  const stored = spends.map((spend) => ({ ...spend, balance: balances?.amounts[spend.asset] ?? null }));
  return sql`reserve_funds(${uuidOf("account", wallet.accountId)}, ${uuidOf("wallet", wallet.id)}, ${network},
    ${owner.type}, ${uuidOf(owner.type, owner.id)}, ${JSON.stringify(stored)}::jsonb,
    ${balances?.since ?? null}::timestamptz, ${strict}, ${JSON.stringify(platform().settings.networkFees)}::jsonb)`;
}

/** A refusal of `reservedFunds`, in whole units. */
interface FundsRefusal {
  asset: Address | "native";
  wanted: string;
  free: string;
}

/** Returns the error if other reservations leave too little. */
function beyondFunds(
  kind: FundsOwner["type"],
  { tokens }: Pick<Chain, "tokens">,
  { asset, wanted, free }: FundsRefusal,
): ApiError {
  const symbol = tokenOf(tokens, asset)?.symbol ?? asset;
  return new ApiError(
    "state_conflict",
    `The ${kind} may cost ${wanted} ${symbol}; the wallet has ${free} ${symbol} that nothing else reserves. Fund it, or send a smaller amount.`,
  );
}

/** Releases the reservation of a swap or an order that has spent nothing itself. */
export async function freeFunds(
  tx: Transaction,
  { accountId, owner }: { accountId: string; owner: FundsOwner },
): Promise<void> {
  await tx.execute(sql`select ${freedFunds({ accountId, owner })}`);
}

/** `freeFunds` as a statement of a batch. */
export function freedFunds({ accountId, owner }: { accountId: string; owner: FundsOwner }): SQL {
  return sql`free_funds(${uuidOf("account", accountId)}, ${uuidOf(owner.type, owner.id)})`;
}

/** Returns the reserved amounts of a wallet's assets on a chain, in whole units by asset. */
export async function readReserved(
  db: Db | Transaction,
  { accountId, id }: Pick<WalletRow, "accountId" | "id">,
  network: string,
): Promise<ReadonlyMap<string, string>> {
  const rows = await db.execute<{ asset: string; amount: string }>(sql`
    select asset, trim_scale(sum(amount + fee))::text as amount from fund_reservations
    where account_id = ${uuidOf("account", accountId)} and wallet_id = ${uuidOf("wallet", id)} and network = ${network}
      and released_at is null and is_spendable(expires_at)
    group by asset`);
  return new Map(rows.map(({ asset, amount }) => [asset, amount]));
}
