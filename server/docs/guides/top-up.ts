import { code, heading, list, type Page, paragraph, samples, table } from "../page.ts";
import { curl } from "./curl.ts";
import { connect } from "./sdk.ts";

/** Returns the program of the guide that buys credits and pays automatically; a test runs it. */
export const payInTypeScript = (baseUrl: string) => `import { ExactEvmScheme } from "@x402/evm/exact/client";
import { wrapFetchWithPayment, x402Client } from "@x402/fetch";
import { privateKeyToAccount } from "viem/accounts";

const payer = privateKeyToAccount(process.env.PAYER_KEY);
const client = x402Client.fromConfig({
  schemes: [{ network: "eip155:*", client: new ExactEvmScheme(payer) }],
  spendControls: false, // Or your own: what it may sign for at most, and to whom.
});
const payingFetch = wrapFetchWithPayment(fetch, client);

const answer = await payingFetch("${baseUrl}/v1/credits/x402/top-up", {
  method: "POST",
  headers: {
    "Authorization": \`Bearer \${process.env.API_KEY}\`,
    "Content-Type": "application/json",
    "Idempotency-Key": process.env.TOP_UP,
  },
  body: JSON.stringify({ amountUsd: 25 }),
});
console.log(answer.status, await answer.json());`;

/** Returns the guide to buying credits. */
export function topUpPage(baseUrl: string): Page {
  return {
    path: "/docs/top-up",
    title: "Top up with x402",
    lead: "Credits are bought with a stablecoin over plain HTTP: the platform answers 402 with its price, and the same call with a signed payment brings the credits.",
    blocks: [
      heading("What you have, and what things cost"),
      samples({
        sh: [
          `${curl(baseUrl, "GET /v1/credits/balance")} | jq -e .balance.availableCredits`,
          `${curl(baseUrl, "GET /v1/pricing")} | jq -e .pricing`,
        ].join("\n"),
        ts: `${connect(baseUrl)}
console.log((await platform.credits.balance.read()).availableCredits);
console.log(await platform.pricing.read());`,
      }),
      paragraph(
        "A dollar brings 1,000 credits. A call that would need more than there are is refused with 402 [insufficient_credits](/docs/errors/insufficient_credits), and nothing happens.",
      ),
      heading("Pay from a program"),
      paragraph(
        "Any x402 client pays, of the protocol's second version or its first. It needs an address with the token that is asked for, and no gas: it signs a transfer (EIP-3009), which the platform sends. The key needs `credits:write`. The [SDK](/docs/typescript) does without the packages of x402: `payWith` signs by any account of viem, `payFromWallet` by a managed wallet.",
      ),
      code("ts", payInTypeScript(baseUrl)),
      list([
        "`amountUsd` is from 5 to 500, with at most two decimal places.",
        "The price of a repeat is the same: keep the `Idempotency-Key` with your own record, and send it again whenever no answer came. One payment brings credits once.",
        "On the sandbox, `npm run --silent faucet -- --address <payer> --usd 100` gives test money. In the console, Credits pays from a browser wallet, or from one of the account's own.",
      ]),
      heading("What comes back"),
      table(
        ["You got", "What it means", "What to do"],
        [
          [
            "402 [payment_required](/docs/errors/payment_required)",
            "what is asked for, in `Payment-Required` and in the body",
            "sign exactly that; a client does it by itself",
          ],
          [
            "200",
            "the credits are there, and a signed receipt stands at `/receipts/{receiptId}`",
            "keep `receiptId`",
          ],
          [
            "409 [settlement_pending](/docs/errors/settlement_pending)",
            "the payment was sent, and the chain has not confirmed it",
            "the same call again; never pay anew",
          ],
          [
            "503 [service_unavailable](/docs/errors/service_unavailable)",
            "no chain, treasury or facilitator is configured, or it is out of reach",
            "the same call again, after `Retry-After`",
          ],
        ],
      ),
    ],
  };
}
