import { z } from "zod";
import { callChain, chainNamed } from "#server/chains/call-chain.ts";
import { operation } from "#server/operation/operation.ts";
import { draftQuote } from "#server/quotes/queries.ts";
import { Quote } from "#server/quotes/schema.ts";
import { priceOf } from "#server/services/prices.ts";
import { readBalancesOf } from "#server/wallets/funds.ts";
import { readPolicyState } from "#server/wallets/judge.ts";
import { readWallet } from "#server/wallets/queries.ts";
import { planSwap, slippedBy } from "./plan-swap.ts";
import { spendsOfSwap } from "./queries.ts";
import { QuoteSwap } from "./schema.ts";
import { judgeSwap } from "./swap-execution.ts";

export const quoteSwap = operation({
  id: "swaps.quote",
  method: "POST",
  path: "/swaps/quote",
  summary: "Quote a swap",
  description:
    "Finds the best route over the pools of a chain, or over the bridge to another one, and returns the decision of the wallet's policy. `minimum` is received, or the swap fails. It lives 60 seconds and is executed once.",
  scope: "wallets:transact",
  service: "universal-swaps",
  idempotent: true,
  external: "reads",
  body: QuoteSwap,
  output: z.object({ quote: Quote }),
  status: 201,
  errors: ["not_found", "service_unavailable"],
  examples: {
    body: {
      walletId: "wal_01jz4w1n9vf5ha3kqcx8y2r7te",
      from: { network: "eip155:31337", asset: "native", amount: "0.1" },
      to: { network: "eip155:31337", asset: "0x5FbDB2315678afecb367f032d93F642f64180aa3" },
    },
  },

  async handler({ body, caller, request, db, commit }) {
    const wallet = await readWallet(db, caller, body.walletId);
    const { address } = wallet;
    const minimumOf = slippedBy(body.slippageBps);
    const asked = { request: body, sender: address, recipient: address, managed: true, minimumOf };
    const { plan } = await planSwap(db, asked);
    const chain = chainNamed(body.from.network, "body.from.network");
    const assets = { spends: spendsOfSwap(plan), since: request.at };
    const [state, balances] = await Promise.all([
      readPolicyState(db, { wallet, network: chain.network }),
      callChain(chain, () => readBalancesOf(chain, address, assets)),
    ]);
    const { decision, reasons } = judgeSwap(state, wallet, plan);
    const { quote, kept } = draftQuote({
      wallet,
      kind: "swap",
      input: body,
      fees: plan.fees,
      plan: { ...plan, balances },
      expected: plan.to.expected,
      minimum: plan.to.minimum,
      chargedCredits: priceOf("universal-swaps", "swaps.execute").credits,
      policy: { decision, reasons },
    });
    await commit.batch({ quote }, { kept });
    return { quote };
  },
});
