import { z } from "zod";
import { fromUnits } from "#server/chains/amounts.ts";
import { callChain, chainNamed } from "#server/chains/call-chain.ts";
import { operation } from "#server/operation/operation.ts";
import { pricesOf } from "#server/prices/queries.ts";
import { draftQuote } from "#server/quotes/queries.ts";
import { Quote } from "#server/quotes/schema.ts";
import { priceOf } from "#server/services/prices.ts";
import { readBalancesOf, spendsOf } from "../funds.ts";
import { readPolicyState } from "../judge.ts";
import { readWallet } from "../queries.ts";
import { WalletParams } from "../schema.ts";
import { usdText, worthOf } from "../usd.ts";
import { callFor } from "./call.ts";
import { feesOf } from "./fees.ts";
import { estimateGas } from "./precheck.ts";
import { QuoteTransaction } from "./schema.ts";
import { sendExecution } from "./send-execution.ts";

export const quoteTransaction = operation({
  id: "wallets.transactions.quote",
  method: "POST",
  path: "/wallets/{walletId}/transactions/quote",
  summary: "Quote a send",
  description:
    "Returns the maximum cost of a send, and the decision of the wallet's policy. The quote is valid for 60 seconds and is executed once. The network fee counts only against the limits for network fees.",
  scope: "wallets:transact",
  service: "managed-wallets",
  idempotent: true,
  external: "reads",
  params: WalletParams,
  body: QuoteTransaction,
  output: z.object({ quote: Quote }),
  status: 201,
  errors: ["not_found", "service_unavailable"],
  examples: {
    body: {
      network: "eip155:31337",
      to: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
      asset: "native",
      amount: "0.25",
    },
  },

  async handler({ params, body, caller, request, db, commit }) {
    const wallet = await readWallet(db, caller, params.walletId);
    const chain = chainNamed(body.network, "body.network");
    const call = await callChain(chain, () => callFor(chain, body));
    const { address: from } = wallet;
    const assets = { spends: spendsOf(chain, { ...call, from }, 0n), since: request.at };
    const [gas, fees, prices, state, balances] = await Promise.all([
      callChain(chain, () => estimateGas(chain, wallet.address, call)),
      callChain(chain, () => feesOf(chain)),
      pricesOf(db, chain.network, ["native"]),
      readPolicyState(db, { wallet, network: chain.network }),
      callChain(chain, () => readBalancesOf(chain, from, assets)),
    ]);
    const spends = spendsOf(chain, { ...call, from, gas }, fees.maxFee);
    const plan = {
      ...body,
      call: { ...call, value: String(call.value), gas: String(gas) },
      spends,
      balances,
    };
    const { decision, reasons } = sendExecution.open({ wallet, plan }).judge(state);
    const fee = gas * fees.maxFee;
    const price = prices.get("native")?.spotUsd;
    const { quote, kept } = draftQuote({
      wallet,
      kind: "transaction",
      input: body,
      expected: null,
      minimum: null,
      fees: [
        {
          type: "network",
          asset: "native",
          amount: fromUnits(fee, 18),
          valueUsd: price === undefined ? null : usdText(worthOf(fee, 18, price)),
        },
      ],
      chargedCredits: priceOf("managed-wallets", "wallets.transactions.create").credits,
      policy: { decision, reasons },
      plan,
    });
    await commit.batch({ quote }, { kept });
    return { quote };
  },
});
