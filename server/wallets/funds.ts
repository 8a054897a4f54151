import { setTimeout as sleep } from "node:timers/promises";
import { type SQL, sql } from "drizzle-orm";
import { type Address, decodeFunctionData, type Hex, isAddressEqual, parseAbi } from "viem";
import type { Db, Transaction } from "#db/client.ts";
import { fromUnits } from "#server/chains/amounts.ts";
import { callChain } from "#server/chains/call-chain.ts";
import { defined } from "#server/defined.ts";
import { uuidOf } from "#server/ids.ts";
import { ApiError } from "#server/operation/errors.ts";
import { refusalOf } from "#server/operation/statement-batch.ts";
import { platform } from "#server/platform.ts";
import type { Chain } from "#server/providers/chain/chains.ts";
import { readAmounts } from "#server/providers/chain/read-amounts.ts";
import { tokenOf } from "./describe-effects.ts";
import { decodeCall } from "./effects.ts";
import type { WalletRow } from "./queries.ts";

/** What a thing takes of one asset, in whole units. */
export interface Spend {
  asset: string;
  amount: string;
  /** The most that the network takes for it; of the native asset alone. */
  fee: string;
  /** Of a transfer that is signed (EIP-3009): the nonce by which a chain carries it out once, and until when it may. */
  nonce?: string;
  expiresAt?: string;
}

/** What a wallet had of assets, in whole units. */
export interface Balances {
  /** By the database's clock, before the chain was asked. */
  since: string;
  amounts: Record<string, string>;
}

/** A transaction, a swap, an order or a signature that funds are promised to. */
export interface FundsOwner {
  type: "transaction" | "swap" | "order" | "signature";
  id: string;
}

const OWN_SPENDING = parseAbi([
  "function transferFrom(address from, address to, uint256 amount)",
  "function withdraw(uint256 amount)",
]);

/**
 * What a call takes of its wallet, of the assets that the chain lists: what it sends along, what its calldata transfers or
 * lets others spend, and `maxFee` for each unit of its gas. An allowance of any amount binds none.
 */
export function spendsOf(
  chain: Pick<Chain, "tokens" | "contracts">,
  call: { from: Address; to: Address; value: bigint; data: Hex; gas?: bigint | null | undefined },
  maxFee: bigint,
): Spend[] {
  const fee = fromUnits((call.gas ?? 0n) * maxFee, 18);
  const native: Spend = { asset: "native", amount: fromUnits(call.value, 18), fee };
  const units = new Map<string, bigint>();
  for (const { asset, amount } of tokensOf(chain, call)) units.set(asset, (units.get(asset) ?? 0n) + amount);
  const tokens = [...units].flatMap(([asset, amount]) => {
    const token = tokenOf(chain.tokens, asset as Address);
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
  // What it takes of somebody else's was never the wallet's.
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

/** What the wallet has of the assets that are to be spent; `since` is a moment of the database's before now. */
export async function readBalancesOf(
  chain: Chain,
  address: Address,
  { spends, since }: { spends: readonly Spend[]; since: Date },
): Promise<Balances> {
  const assets = spends.map(({ asset }) => asset as Address | "native");
  const amounts = await readAmounts(chain, address, assets);
  const shown = assets.map((asset, nth) => {
    const { decimals } = tokenOf(chain.tokens, asset) ?? { decimals: 18 };
    return [asset, fromUnits(amounts[nth] ?? 0n, decimals)] as const;
  });
  return { since: since.toISOString(), amounts: Object.fromEntries(shown) };
}

/** What a call of the platform's own takes that is made to move so much of an asset. */
export function spendsOfCall(
  { asset, amount }: { asset: string; amount: string },
  { value, gas = 0n }: { value: bigint; gas?: bigint | undefined },
  maxFee: bigint,
): Spend[] {
  const native: Spend = { asset: "native", amount: fromUnits(value, 18), fee: fromUnits(gas * maxFee, 18) };
  return asset === "native" ? [native] : [native, { asset, amount, fee: "0" }];
}

/** The fees of what a transaction takes. */
export const feesOfSpends = (spends: readonly Spend[]) =>
  spends.flatMap(({ asset, fee }) => (asset === "native" ? [fee] : []));

/** When balances are read again where others seem to leave too little: a chain may be ahead of what is stored of it. */
const PAUSES_MS = [0, 250];

/**
 * Does what reserves funds by the balances that are known, and again by those of now where others seem to leave too little.
 * Then throws the caller's error.
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

/** What is to be promised of a wallet's assets, and to whom. */
export interface FundsAsk {
  wallet: Pick<WalletRow, "accountId" | "id">;
  network: string;
  owner: FundsOwner;
  spends: readonly Spend[];
  /** What the wallet has; null where it was promised before, to what the owner comes from. */
  balances: Balances | null;
  /** Whether it is refused what the wallet has not, even where nothing else is promised. */
  strict?: boolean;
}

/**
 * Promises funds, as a statement of a batch; its answer is null, or what others leave too little for. Refused
 * as `feeRefusalOf` says where the network may not take a transaction's fee.
 */
export function reservedFunds({ wallet, network, owner, spends, balances, strict = false }: FundsAsk): SQL {
  const stored = spends.map((spend) => ({ ...spend, balance: balances?.amounts[spend.asset] ?? null }));
  return sql`reserve_funds(${uuidOf("account", wallet.accountId)}, ${uuidOf("wallet", wallet.id)}, ${network},
    ${owner.type}, ${uuidOf(owner.type, owner.id)}, ${JSON.stringify(stored)}::jsonb,
    ${balances?.since ?? null}::timestamptz, ${strict}, ${JSON.stringify(platform().settings.networkFees)}::jsonb)`;
}

/** What a refusal of `reservedFunds` says, in whole units. */
interface FundsRefusal {
  asset: string;
  wanted: string;
  free: string;
}

/** The error for a caller for whom others leave too little. */
function beyondFunds(
  kind: FundsOwner["type"],
  { tokens }: Pick<Chain, "tokens">,
  { asset, wanted, free }: FundsRefusal,
): ApiError {
  const symbol = tokenOf(tokens, asset as Address | "native")?.symbol ?? asset;
  return new ApiError(
    "state_conflict",
    `The ${kind} may cost ${wanted} ${symbol}; the wallet has ${free} ${symbol} that nothing else reserves. Fund it, or send a smaller amount.`,
  );
}

/** Gives back what was promised to a swap or an order that has spent nothing itself. */
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

/** What is promised of a wallet's assets on a chain, in whole units by asset. */
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
