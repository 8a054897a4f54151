import { parseUnits } from "viem";
import { defined } from "#server/base/defined.ts";
import type { Asset } from "#server/providers/venue/venue.ts";
import { venueOf } from "#server/providers/venue/venue-of.ts";
import type { Answered, startApi } from "./api.ts";
import type { TestChain } from "./chain.ts";
import { eventually } from "./eventually.ts";
import { sendCall } from "./swaps.ts";

type Api = Awaited<ReturnType<typeof startApi>>;
type Sent = Answered["body"];

/** Creates a quote of an order. */
export async function quoteOrder(api: Api, key: string, terms: object): Promise<Sent> {
  const body = { symbol: "ETH-USD", ...terms };
  return (await api.mustSend(201, "POST", "/v1/trading/quotes", { key, body })).quote;
}

/** Executes a quote. */
export function placeQuote(api: Api, key: string, body: object): Promise<Answered> {
  return api.send("POST", "/v1/trading/orders", { key, body });
}

/** Quotes and places an order. */
export async function placeOrder(api: Api, key: string, terms: object): Promise<Sent> {
  const { id: quoteId } = await quoteOrder(api, key, terms);
  return (await api.mustSend(202, "POST", "/v1/trading/orders", { key, body: { quoteId } })).order;
}

/** Returns the order once it has this status. */
export async function orderWith(
  api: Api,
  key: string,
  { id }: { id: string },
  status: string,
): Promise<Sent> {
  return eventually(async () => {
    const { order } = await api.mustSend(200, "GET", `/v1/trading/orders/${id}`, { key });
    return order.status === status ? order : undefined;
  });
}

/** Trades in several steps, each over the best route at that time, so that the price moves in every pool. */
const PUSHES = 6n;

/** Trades as another person, which moves the price of the native asset against USD. */
export async function pushPrice(
  api: Api,
  sandbox: TestChain,
  { sell, buy }: { sell?: string; buy?: string },
): Promise<void> {
  const chain = defined(api.platform.chains.all[0]);
  const venue = venueOf(chain);
  const usd = chain.contracts.usd;
  const [from, to]: [Asset, Asset] = sell ? ["native", usd] : [usd, "native"];
  const total = parseUnits(sell ?? buy ?? "0", sell ? 18 : 6);
  const trader = sandbox.accounts.treasury.address;
  await sandbox.fund(trader, { eth: String(Number(sell ?? 0) + 1), usd: buy ?? "1" });
  if (from !== "native") await sandbox.approve(trader, from, venue?.spender as Asset & `0x${string}`, total);
  for (let push = 0n; push < PUSHES; push += 1n) {
    const quote = await venue?.quoteExactIn({ from, to, amountIn: total / PUSHES });
    if (!venue || !quote) throw new Error("The venue has no quote.");
    const call = venue.buildSwap({ quote, recipient: trader, limit: 0n, deadline: 10n ** 12n });
    const { status } = await sendCall(sandbox, trader, call);
    if (status !== "success") throw new Error("The venue has refused a push of the price.");
  }
}
