import { eq } from "drizzle-orm";
import { swaps as table } from "#db/schema/swaps.ts";
import type { TestChain } from "#server/testing/chain.ts";
import { type Area, checkMadeOnce } from "../area.ts";
import type { Call } from "../client.ts";

const CREDITS = 1_000_000;
const NETWORK = "eip155:31337";
const ENDED = ["completed", "refunded", "failed"];

/** A wallet swaps test USD; each quote is swapped once, for at least the minimum that was quoted. */
export const swaps = (chain: TestChain): Area => ({
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
    await chain.fund(wallet.address, { eth: "10", usd: "100000" });
    const executed: Call[] = [];
    const rowsOf = () => installation.database.db.select().from(table).where(eq(table.accountId, accountId));

    return {
      async call(random) {
        const name = marker("swap");
        const body = {
          walletId: wallet.id,
          from: {
            network: NETWORK,
            asset: chain.settings.contracts.usd,
            amount: String(random.between(1, 3)),
          },
          to: { network: NETWORK, asset: "native" },
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
          ({ status, received, to }) => status !== "completed" || Number(received) < Number(to.minimum),
        );
        return [
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
