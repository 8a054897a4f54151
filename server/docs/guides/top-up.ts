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
    lead: "Buy credits with a stablecoin over plain HTTP: the platform responds 402 with its price, and the same call with a signed payment buys the credits.",
    blocks: [
      heading("Your balance, and the prices"),
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
        "A dollar buys 1,000 credits. A call that needs more credits than you have is refused with 402 [insufficient_credits](/docs/errors/insufficient_credits), and nothing happens.",
      ),
      heading("Pay from a program"),
      paragraph(
        "Any x402 client can pay, with version 2 or 1 of the protocol. It needs an address that holds the requested token, and no gas: it signs a transfer (EIP-3009), which the platform sends. The key needs `credits:write`. The [SDK](/docs/typescript) does not need the packages of x402: `payWith` signs with any viem account, `payFromWallet` with a managed wallet.",
      ),
      code("ts", payInTypeScript(baseUrl)),
      list([
        "`amountUsd` is from 5 to 500, with at most two decimal places.",
        "The price of a repeat is the same: store the `Idempotency-Key` with your own record, and send it again if you got no response. One payment buys credits once.",
        "On the sandbox, `npm run --silent faucet -- --address <payer> --usd 100` gives test money. In the console, the Credits page pays from a browser wallet, or from one of the account's wallets.",
      ]),
      heading("Responses"),
      table(
        ["You got", "What it means", "What to do"],
        [
          [
            "402 [payment_required](/docs/errors/payment_required)",
            "the requested payment, in `Payment-Required` and in the body",
            "sign exactly that; clients do it automatically",
          ],
          [
            "200",
            "the credits were added, and a signed receipt is at `/receipts/{receiptId}`",
            "store `receiptId`",
          ],
          [
            "409 [settlement_pending](/docs/errors/settlement_pending)",
            "the payment was sent, but the chain has not confirmed it yet",
            "send the same call again; never pay a second time",
          ],
          [
            "503 [service_unavailable](/docs/errors/service_unavailable)",
            "the chain, treasury or facilitator is not configured, or can't be reached",
            "send the same call again, after `Retry-After`",
          ],
        ],
      ),
    ],
  };
}
