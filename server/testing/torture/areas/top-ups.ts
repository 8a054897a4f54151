import { decodePaymentRequiredHeader } from "@x402/core/http";
import type { Address } from "viem";
import type { TestChain } from "#server/testing/chain.ts";
import { createPayer, signTransfer, usdOf } from "#server/testing/payments.ts";
import type { Area } from "../area.ts";
import type { Call } from "../client.ts";

const AMOUNT_USD = 5;
const CREDITS_PER_USD = 1000;
const path = "/v1/credits/x402/top-up";

/** Credits are bought by x402: the treasury's receipts equal the credits that accounts were given. */
export const topUps = (chain: TestChain): Area => ({
  name: "top-ups",
  weight: 1,
  async start({ client, createAccount, marker }) {
    const { key } = await createAccount();
    const payer = await createPayer(chain, "1000000");
    const treasury = chain.accounts.treasury.address;
    const before = await usdOf(chain, treasury);
    const paid: Call[] = [];
    const body = { amountUsd: AMOUNT_USD };
    const credits = async () => {
      const { balance } = await client.must({ method: "GET", path: "/v1/credits/balance", key });
      return balance.totalCredits as number;
    };
    const received = async () => Number((await usdOf(chain, treasury)) - before) / 1e6;

    return {
      async call(random) {
        const name = marker("top-up");
        const headers = { "idempotency-key": `torture:${name}` };
        const asked = await client.send({ method: "POST", path, key, body, headers }, random);
        if (asked?.status !== 402) return;
        const [requirement] = decodePaymentRequiredHeader(
          asked.headers.get("payment-required") ?? "",
        ).accepts;
        if (!requirement) return;
        const { payTo, amount } = requirement;
        const payload = await signTransfer(chain, payer, { to: payTo as Address, value: amount });
        const payment = { x402Version: 2, accepted: requirement, payload };
        const encoded = Buffer.from(JSON.stringify(payment)).toString("base64");
        paid.push(
          await client.write(random, name, {
            method: "POST",
            path,
            key,
            body,
            headers: { "payment-signature": encoded },
          }),
        );
      },

      /** A job recovers payments from the chain whose callers have given up. */
      async pending() {
        const [credited, usd] = await Promise.all([credits(), received()]);
        return credited === usd * CREDITS_PER_USD
          ? null
          : `${usd} USD were received, and ${credited} credits posted.`;
      },

      async check() {
        const answered = paid.filter(({ outcome }) => outcome === "answered");
        const acknowledged = answered.reduce((sum, { answer }) => sum + answer.creditedCredits, 0);
        const receipts = new Set(answered.map(({ answer }) => answer.receiptId));
        const credited = await credits();
        return [
          ...(acknowledged <= credited
            ? []
            : [`${acknowledged} credits were answered, and ${credited} posted.`]),
          ...(receipts.size === answered.length ? [] : ["Two top-ups were answered one receipt."]),
        ];
      },
    };
  },
});
