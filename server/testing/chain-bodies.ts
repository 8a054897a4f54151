import { uuidOf } from "#server/base/ids.ts";
import type { Operation } from "#server/operation/operation.ts";
import type { startApi } from "./api.ts";
import type { TestChain } from "./chain.ts";
import { exampleBody } from "./example-bodies.ts";
import { createResource } from "./resources.ts";

type Api = Awaited<ReturnType<typeof startApi>>;
type Body = Record<string, unknown>;

interface Making {
  api: Api;
  key: string;
  chain: TestChain;
  /** The ids in the path; a body may need others. */
  ids: Record<string, string>;
  example: Body;
}

const NETWORK = "eip155:31337";
const SENDER = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

/**
 * Bodies of operations that need more than their example: a quote, a wallet with funds, or a resource in another state.
 */
const BODIES: Record<string, (making: Making) => Promise<Body>> = {
  "wallets.transactions.quote": async (making) => {
    await fund(making, making.ids.walletId as string);
    return making.example;
  },
  "wallets.transactions.create": async (making) => {
    const walletId = making.ids.walletId as string;
    await fund(making, walletId);
    const body = { network: NETWORK, to: SENDER, asset: "native", amount: "0.25" };
    return quoted(making, `/v1/wallets/${walletId}/transactions/quote`, body);
  },
  "wallets.signatures.create": (making) =>
    quoted(making, `/v1/wallets/${making.ids.walletId}/signatures/quote`, {
      kind: "message",
      message: "Hi.",
    }),
  "trading.quotes.create": async (making) => ({ ...making.example, walletId: await funded(making) }),
  "trading.orders.create": async (making) => quoted(making, "/v1/trading/quotes", await orderOf(making)),
  "swaps.quote": async (making) => ({ walletId: await funded(making), ...swapOf(making) }),
  "swaps.execute": async (making) =>
    quoted(making, "/v1/swaps/quote", { walletId: await funded(making), ...swapOf(making) }),
  "trading.orders.cancel": async ({ api, ids, example }) => {
    const uuid = uuidOf("order", ids.orderId as string);
    await api.platform.database.client`update orders set status = 'open', ended_at = null where id = ${uuid}`;
    return example;
  },
  "runs.retry": async ({ api, key, ids }) => {
    await api.send("POST", `/v1/runs/${ids.runId}/cancel`, { key, body: {} });
    return {};
  },
  "runs.forget": async ({ api, key, ids }) => {
    await api.send("POST", `/v1/runs/${ids.runId}/cancel`, { key, body: {} });
    return {};
  },
  "runs.steps.test": async ({ api, key, ids, example }) => {
    const workflow = { name: "Greet", steps: [{ id: "greet", type: "wait", seconds: 0 }] };
    const body = { serviceId: "managed-workflows", operationId: "execute", input: { workflow } };
    ids.runId = (await api.mustSend(202, "POST", "/v1/runs", { key, body })).run.id;
    return example;
  },
  "swaps.prepare": async (making) => ({ sender: SENDER, ...swapOf(making) }),
};

/** Returns the operation's example body; resources that it refers to are created on this chain. */
export async function chainBody(
  operation: Operation,
  making: Omit<Making, "example">,
): Promise<Body | undefined> {
  const example = exampleBody(operation);
  const make = BODIES[operation.id];
  return make && example ? make({ ...making, example }) : example;
}

async function fund({ api, key, chain }: Making, walletId: string): Promise<void> {
  const { body } = await api.send("GET", `/v1/wallets/${walletId}`, { key });
  await chain.fund(body.wallet.address, { eth: "10", usd: "10000" });
}

async function funded(making: Making): Promise<string> {
  const walletId = await createResource(making.api, making.key, "walletId");
  await fund(making, walletId);
  return walletId;
}

async function quoted({ api, key }: Making, path: string, asked: Body): Promise<Body> {
  const { body } = await api.send("POST", path, { key, body: asked });
  return { quoteId: body.quote.id };
}

const orderOf = async (making: Making): Promise<Body> => ({
  walletId: await funded(making),
  symbol: "ETH-USD",
  side: "buy",
  type: "market",
  quantity: "0.1",
});

const swapOf = ({ chain }: Making): Body => ({
  from: { network: NETWORK, asset: "native", amount: "0.1" },
  to: { network: NETWORK, asset: chain.settings.contracts.usd },
});
