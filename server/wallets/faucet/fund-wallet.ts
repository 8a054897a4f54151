import { z } from "zod";
import { toUnits } from "#server/chains/amounts.ts";
import { callChain, chainNamed } from "#server/chains/call-chain.ts";
import { asset, network, positiveAmount } from "#server/chains/schema.ts";
import { ApiError, invalid } from "#server/operation/errors.ts";
import { operation } from "#server/operation/operation.ts";
import { platform } from "#server/platform.ts";
import type { Chain, Token } from "#server/providers/chain/chains.ts";
import { type Gift, giveAway } from "#server/providers/chain/sandbox/faucet.ts";
import { readWallet } from "../queries.ts";
import { WalletParams } from "../schema.ts";

/** The most that one call gives of anything, in whole units. */
const MAX_AMOUNT = 1_000_000n;

const FundWallet = z.object({
  network,
  asset,
  amount: positiveAmount.describe("The amount, in whole units; at most 1,000,000."),
});

export const fundWallet = operation({
  id: "wallets.faucet",
  method: "POST",
  path: "/wallets/{walletId}/faucet",
  summary: "Send test money to a wallet",
  description: "Sends test money, on the embedded chains only. The money has arrived when the call returns.",
  scope: "wallets:create",
  service: "managed-wallets",
  idempotent: true,
  external: true,
  surfaces: ["console"],
  params: WalletParams,
  body: FundWallet,
  output: z.object({
    ...FundWallet.shape,
    hash: z.string().describe("The hash of the transaction that sent the money."),
  }),
  errors: ["not_found", "state_conflict", "service_unavailable"],
  examples: { body: { network: "eip155:31337", asset: "native", amount: "10" } },

  async handler({ params, body, caller, db, commit }) {
    const { address } = await readWallet(db, caller, params.walletId);
    const chain = chainNamed(body.network, "body.network");
    const accounts = platform().chains.accounts();
    if (!chain.sandbox || !accounts)
      throw new ApiError("state_conflict", `${chain.network} is no chain of the sandbox; it has no faucet.`);
    const gift: Gift = { to: address, ...portionOf(chain, body) };
    const hash = await callChain(chain, (client) => giveAway(client, accounts, gift), "unknown");
    return commit(async () => ({ ...body, hash }));
  },
});

function portionOf(chain: Chain, body: z.output<typeof FundWallet>): Pick<Gift, "asset" | "units"> {
  const given = chain.tokens.filter((token) => token.asset !== chain.contracts.wrappedNative);
  const token = given.find((one) => one.asset === body.asset);
  if (!token) {
    const names = given.map(nameOf).join(", ");
    throw invalid("body.asset", `The faucet has no ${body.asset} on ${chain.network}; it gives ${names}.`);
  }
  const units = toUnits(body.amount, token.decimals);
  if (units > MAX_AMOUNT * 10n ** BigInt(token.decimals))
    throw invalid("body.amount", `${body.amount} is more than one call gives, ${MAX_AMOUNT}. Send less.`);
  return { asset: token.asset, units };
}

const nameOf = ({ asset, symbol }: Token) => `${asset} (${symbol})`;
