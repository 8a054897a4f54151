import { grantCredits } from "#server/credits/post-credits.ts";
import type { startApi } from "#server/testing/api.ts";
import type { TestChain } from "#server/testing/chain.ts";
import { startJobs } from "#server/testing/jobs.ts";
import { createResource } from "#server/testing/resources.ts";
import type { Document } from "./requests.ts";

type Api = Awaited<ReturnType<typeof startApi>>;

const CREDITS = 1_000_000_000;
/** So many that some are still open when most have been cancelled. */
const TRANSFERS = 60;

const workflow = { name: "Greet", steps: [{ id: "greet", type: "wait", seconds: 0 }] };

/** Examples with amounts that policies allow repeatedly, and with tokens of this chain. */
const examplesOn = ({ settings: { contracts } }: TestChain): Record<string, Record<string, unknown>> => ({
  "databases.actions": { actions: [{ type: "sql", sql: "select 1 as one" }] },
  // Below the market price, so that there are orders to cancel.
  "trading.quotes.create": { type: "limit", quantity: "0.001", limitPrice: "100" },
  // Runs whose steps can be tested.
  "runs.batch": { items: [{ serviceId: "managed-workflows", operationId: "execute", input: { workflow } }] },
  // Retries the whole run, because the example's step is in no run.
  "runs.retry": { fromStep: undefined },
  "swaps.quote": swapOf(contracts.usd),
  "swaps.prepare": swapOf(contracts.usd),
  "wallets.transactions.quote": { amount: "0.001" },
});

const swapOf = (asset: string) => ({
  from: { network: "eip155:31337", asset: "native", amount: "0.001" },
  to: { network: "eip155:31337", asset },
});

/** Operations that no request of the fuzz can complete, with the reason. */
export const UNREACHABLE: ReadonlySet<string> = new Set([
  // It needs a signed payment for exactly this offer.
  "credits.x402.topUp",
]);

/** Returns the document with examples that succeed on this chain repeatedly. */
export function withExamples(document: Document, chain: TestChain): Document {
  const fields = examplesOn(chain);
  const copy = structuredClone(document);
  for (const operation of Object.values(copy.paths).flatMap((methods) => Object.values(methods))) {
    const media = operation.requestBody?.content["application/json"];
    const changed = fields[operation.operationId];
    const example = media?.examples?.default;
    if (example && changed) example.value = { ...(example.value as object), ...changed };
  }
  return copy;
}

/** Gives an account the requirements of its calls: credits, a database, transfers, and a worker that executes jobs. */
export async function prepare(api: Api, { key, accountId }: { key: string; accountId: string }) {
  await api.platform.database.db.transaction((tx) =>
    grantCredits(tx, { accountId, credits: CREDITS, reference: "fuzz", description: "For the fuzz" }),
  );
  await api.send("POST", "/v1/databases/account", { key, body: {} });
  const transfers: string[] = [];
  for (let left = TRANSFERS; left > 0; left--) transfers.push(await createResource(api, key, "transferId"));
  const { stop } = await startJobs(api);
  return { transfers, stop };
}

/** Gives a new wallet funds to send. */
export async function fundWallet(chain: TestChain, answer: string): Promise<void> {
  const address = /"address":"(0x[0-9a-fA-F]{40})"/.exec(answer)?.[1];
  if (address) await chain.fund(address as `0x${string}`, { eth: "10", usd: "1000" });
}
