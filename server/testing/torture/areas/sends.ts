import { and, eq } from "drizzle-orm";
import { type Address, getAddress, keccak256, parseUnits, toHex } from "viem";
import { walletTransactions } from "#db/schema/transactions.ts";
import { defined } from "#server/base/defined.ts";
import type { TestChain } from "#server/testing/chain.ts";
import { usdOf } from "#server/testing/payments.ts";
import { type Area, checkMadeOnce } from "../area.ts";
import type { Call } from "../client.ts";

const CREDITS = 1_000_000;
const AMOUNT = "1";
/** The daily limit of the second wallet. */
const DAILY_LIMIT_USD = 5;
const UNDER_WAY = ["reserved", "signed", "broadcast"];

/** Returns an address that nobody else has. */
function recipientOf(marker: string): Address {
  return getAddress(`0x${keccak256(toHex(marker)).slice(-40)}`);
}

/** Wallets send test USD, each time to a new recipient; one of the wallets has a daily limit. */
export const sends = (chain: TestChain): Area => ({
  name: "sends",
  weight: 2,
  async start({ client, installation, createAccount, marker }) {
    const { db } = installation.database;
    const { accountId, key } = await createAccount(CREDITS);

    async function createWallet(policy?: object) {
      const { wallet } = await client.must({
        method: "POST",
        path: "/v1/wallets",
        key,
        headers: { "idempotency-key": marker("wallet") },
        body: { label: "Tortured", ...(policy && { policy }) },
      });
      await chain.fund(wallet.address, { eth: "10", usd: "100000" });
      return wallet.id;
    }
    const free = await createWallet();
    const capped = await createWallet({ dailyLimitUsd: String(DAILY_LIMIT_USD) });
    const executed: Call[] = [];
    /** The executions of each quote. */
    const byQuote = new Map<string, Call[]>();
    const rowsOf = () =>
      db
        .select()
        .from(walletTransactions)
        .where(and(eq(walletTransactions.accountId, accountId), eq(walletTransactions.direction, "out")));

    return {
      async call(random) {
        const walletId = random.chance(0.2) ? capped : free;
        const path = `/v1/wallets/${walletId}/transactions`;
        if (random.chance(0.4)) return client.send({ method: "GET", path, key }, random);
        const name = marker("send");
        const { network, contracts } = { network: "eip155:31337", ...chain.settings };
        const body = { network, to: recipientOf(name), asset: contracts.usd, amount: AMOUNT };
        const quoted = await client.write(random, `${name}-quote`, {
          method: "POST",
          path: `${path}/quote`,
          key,
          body,
        });
        if (quoted.outcome !== "answered") return;
        const quoteId = quoted.answer.quote.id;
        // A quote is used once, even if two calls execute it.
        const names = random.chance(0.1) ? [name, `${name}-again`] : [name];
        const calls = await Promise.all(
          names.map((clientReference) =>
            client.write(random, clientReference, {
              method: "POST",
              path,
              key,
              body: { quoteId, clientReference },
            }),
          ),
        );
        executed.push(...calls);
        byQuote.set(quoteId, calls);
      },

      async pending() {
        const open = (await rowsOf()).filter(({ status }) => UNDER_WAY.includes(status));
        if (open.length === 0) return null;
        return `${open.length} transactions have not ended; ${open[0]?.id} is ${open[0]?.status}.`;
      },

      async check() {
        const rows = await rowsOf();
        const made = rows.map(({ clientReference, id }) => ({ marker: clientReference ?? "", id }));
        const paid = await Promise.all(
          [...byQuote].map(async ([quoteId, calls]) => {
            const marker = defined(calls[0]?.marker);
            const units = await usdOf(chain, recipientOf(marker));
            const confirmed = rows.filter((row) => row.quoteId === quoteId && row.status === "confirmed");
            if (confirmed.length <= 1 && units === parseUnits(AMOUNT, 6) * BigInt(confirmed.length))
              return [];
            const statuses = rows.filter((row) => row.quoteId === quoteId).map(({ status }) => status);
            return [`The recipient of ${marker} (${statuses.join(", ")}) has ${units} units.`];
          }),
        );
        const failed = rows.filter(({ status }) => status !== "confirmed");
        const spent = rows.filter((row) => row.walletId === capped && row.status === "confirmed").length;
        const reserved = await Promise.all([free, capped].map(readReserved));
        return [
          ...checkMadeOnce(executed, made, ({ answer }) => answer.transaction.id),
          ...paid.flat(),
          ...failed.map(
            ({ id, status, failure }) => `The transaction ${id} is ${status}: ${JSON.stringify(failure)}.`,
          ),
          ...(spent <= DAILY_LIMIT_USD ? [] : [`${spent} USD were sent, of ${DAILY_LIMIT_USD} a day.`]),
          ...reserved.flat(),
        ];
      },
    };

    async function readReserved(walletId: string) {
      const { balances } = await client.must({
        method: "GET",
        path: `/v1/wallets/${walletId}/balances`,
        key,
      });
      const kept = balances.filter(({ reserved }: { reserved: string }) => Number(reserved) !== 0);
      return kept.map(
        ({ symbol, reserved }: Record<string, string>) =>
          `${reserved} ${symbol} of ${walletId} stay reserved.`,
      );
    }
  },
});
