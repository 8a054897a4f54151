import { eq } from "drizzle-orm";
import { swaps as table } from "#db/schema/swaps.ts";
import type { TestChain } from "#server/testing/chain.ts";
import { usdOf } from "#server/testing/payments.ts";
import { type Area, checkMadeOnce } from "../area.ts";
import type { Call } from "../client.ts";

const CREDITS = 1_000_000;
const START_USD = 100_000;
const NETWORK = "eip155:31337";
const FAR_NETWORK = "eip155:31338";
const ENDED = ["completed", "refunded", "failed"];

/**
 * A wallet swaps test USD, on its chain or across chains; each quote is executed once, for at least the quoted minimum.
 */
export const swaps = (chain: TestChain, farChain: TestChain): Area => ({
  name: "swaps",
  weight: 1,
  async start({ client, installation, createAccount, marker }) {
    const { accountId, key } = await createAccount(CREDITS);
    const { wallet } = await client.must({
      method: "POST",
      path: "/v1/wallets",
      key,
      headers: { "idempotency-key": marker("wallet") },
      body: { label: "Swaps" },
    });
    await chain.fund(wallet.address, { eth: "10", usd: String(START_USD) });
    const executed: Call[] = [];
    const farUsd = farChain.settings.contracts.usd;
    const rowsOf = () => installation.database.db.select().from(table).where(eq(table.accountId, accountId));

    return {
      async call(random) {
        const name = marker("swap");
        const isFar = random.chance(0.3);
        const body = {
          walletId: wallet.id,
          from: {
            network: NETWORK,
            asset: chain.settings.contracts.usd,
            amount: String(random.between(1, 3)),
          },
          to: isFar ? { network: FAR_NETWORK, asset: farUsd } : { network: NETWORK, asset: "native" },
          slippageBps: 500,
        };
        const quoted = await client.write(random, `${name}-quote`, {
          method: "POST",
          path: "/v1/swaps/quote",
          key,
          body,
        });
        if (quoted.outcome !== "answered") return;
        const quoteId = quoted.answer.quote.id;
        const swapped = await client.write(random, name, {
          method: "POST",
          path: "/v1/swaps",
          key,
          body: { quoteId },
        });
        executed.push(swapped);
      },

      async pending() {
        const open = (await rowsOf()).filter(({ status }) => !ENDED.includes(status));
        return open.length === 0
          ? null
          : `${open.length} swaps have not ended; ${open[0]?.id} is ${open[0]?.status}.`;
      },

      async check() {
        const rows = await rowsOf();
        const quotes = new Map(
          executed.map((call) => [(call.body as { quoteId: string }).quoteId, call.marker]),
        );
        const made = rows.map(({ quoteId, id }) => ({ marker: quotes.get(quoteId) ?? quoteId, id }));
        const short = rows.filter(
          ({ status, received, to }) =>
            (status !== "completed" || Number(received) < Number(to.minimum)) &&
            // If no relayer delivers in time, the input is refunded.
            !(status === "refunded" && to.network === FAR_NETWORK),
        );
        const across = rows.filter(({ status, to }) => status === "completed" && to.network === FAR_NETWORK);
        const delivered = across.reduce((sum, { received }) => sum + Number(received), 0);
        const has = Number(await usdOf(farChain, wallet.address)) / 1e6;
        const given = rows
          .filter(({ status }) => status === "completed")
          .reduce((sum, { from }) => sum + Number(from.amount), 0);
        const left = Number(await usdOf(chain, wallet.address)) / 1e6;
        return [
          ...(Math.abs(delivered - has) < 1e-6
            ? []
            : [`${has} USD have arrived on the other chain, and ${delivered} were reported.`]),
          ...(Math.abs(START_USD - given - left) < 1e-6
            ? []
            : [`The swaps' wallet has ${left} USD after it gave ${given} of ${START_USD}.`]),
          ...checkMadeOnce(executed, made, ({ answer }) => answer.swap.id),
          ...short.map(
            ({ id, status, received, to, failure }) =>
              `The swap ${id} is ${status}, with ${received} of ${to.minimum}: ${JSON.stringify(failure)}.`,
          ),
        ];
      },
    };
  },
});
