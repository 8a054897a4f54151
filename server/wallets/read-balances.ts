import { formatUnits, parseUnits } from "viem";
import { z } from "zod";
import type { Db, Transaction } from "#db/client.ts";
import { currentTime } from "#server/base/clock.ts";
import { log } from "#server/base/log.ts";
import { callChain, chainNamed } from "#server/chains/call-chain.ts";
import { network } from "#server/chains/schema.ts";
import { operation } from "#server/operation/operation.ts";
import { platform } from "#server/platform.ts";
import { pricesOf } from "#server/prices/queries.ts";
import type { Chain } from "#server/providers/chain/chains.ts";
import { readAmounts } from "#server/providers/chain/read-amounts.ts";
import { readReserved } from "./funds.ts";
import { readWallet, type WalletRow } from "./queries.ts";
import { Balance, WalletParams } from "./schema.ts";
import { usdText, worthOf } from "./usd.ts";

export const readBalances = operation({
  id: "wallets.balances.read",
  method: "GET",
  path: "/wallets/{walletId}/balances",
  summary: "Read a wallet's balances",
  description:
    "Returns the current balances of every listed asset; an asset whose contract returns no amount is left out. `amount` is the sum of `available` and `reserved`. Reserved are the amounts of transactions that no chain has yet, with their maximum network fees, of orders that have not ended, of signed transfers (EIP-3009) that can still be used, and of everything that waits for an approval; allowances reserve nothing. If the wallet has less than is reserved, its whole amount is reserved.",
  scope: "wallets:read",
  service: "managed-wallets",
  params: WalletParams,
  query: z.object({ network: network.optional().describe("Only balances on this chain.") }),
  output: z.object({ balances: z.array(Balance) }),
  errors: ["not_found", "service_unavailable"],

  async handler({ params, query, caller, db }) {
    const wallet = await readWallet(db, caller, params.walletId);
    const { all } = platform().chains;
    // Where there is no chain at all, this names the setting that is missing.
    const named = query.network !== undefined || all.length === 0;
    const chains = named ? [chainNamed(query.network ?? "", "query.network")] : all;
    const balances = await Promise.all(chains.map((chain) => balancesOn(db, chain, wallet)));
    return { balances: balances.flat() };
  },
});

/** A number with more digits before its point is no amount of anything. */
const MAX_DIGITS = 24;

async function balancesOn(
  db: Db | Transaction,
  chain: Chain,
  wallet: WalletRow,
): Promise<z.input<typeof Balance>[]> {
  const { tokens, network, contracts } = chain;
  const assets = tokens.map(({ asset }) => asset);
  const amounts = await callChain(chain, () => readAmounts(chain, wallet.address, assets));
  const asOf = currentTime().toISOString();
  const [reservations, prices] = await Promise.all([
    readReserved(db, wallet, network),
    pricesOf(db, network, assets),
  ]);
  return tokens.flatMap(({ asset, symbol, decimals }, index) => {
    const amount = amounts[index] ?? null;
    if (amount === null || amount >= 10n ** BigInt(decimals + MAX_DIGITS)) {
      log.warn("A listed token returns no balance; it is left out.", { network, asset });
      return [];
    }
    // An outflow without a reservation may leave less than is reserved: then the whole balance is reserved.
    const promised = parseUnits(reservations.get(asset) ?? "0", decimals);
    const reserved = smaller(promised, amount);
    const priceUsd = asset === contracts.usd ? "1" : prices.get(asset)?.spotUsd;
    return {
      network,
      asset,
      symbol,
      decimals,
      asOf,
      amount: formatUnits(amount, decimals),
      reserved: formatUnits(reserved, decimals),
      available: formatUnits(amount - reserved, decimals),
      valueUsd: priceUsd === undefined ? null : usdText(worthOf(amount, decimals, priceUsd)),
      projectId: wallet.projectId,
      endUser: wallet.endUser,
    };
  });
}

const smaller = (one: bigint, other: bigint) => (one < other ? one : other);
