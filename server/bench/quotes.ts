import { tmpdir } from "node:os";
import { join } from "node:path";
import { createPublicClient, http, parseEther } from "viem";
import { accounts } from "../../db/schema/accounts.ts";
import { createDoor } from "../boot/door.ts";
import { newId } from "../ids.ts";
import { createCreditToken } from "../keys/credit-tokens.ts";
import { operations } from "../operations.ts";
import { startPlatform } from "../platform.ts";
import { quoterAbi } from "../providers/chain/abi.ts";
import type { Chain } from "../providers/chain/chains.ts";
import { type Venue, venueOf } from "../providers/venue/venue.ts";
import { testSettings } from "../testing/settings.ts";
import { handleV1 } from "../transports/http.ts";
import { startBenchChain } from "./chain.ts";

// Quotes over one pool beside the bare call of the quoter: `node quotes.ts DATABASE_URL` prints the medians as JSON.
const ROUNDS = 400;
const WARM_UP = 50;

const { settings, stop } = await startBenchChain();
const platform = await startPlatform(
  testSettings(join(tmpdir(), "bench-blobs"), { baseUrl: "http://localhost", chains: [settings] }),
  process.argv[2] as string,
  operations,
);
const door = createDoor({ baseUrl: "http://localhost", lanes: { "/v1": handleV1 } });
const port = await door.listen(0, "127.0.0.1");

async function post(path: string, headers: Record<string, string>, body: unknown) {
  const answer = await fetch(`http://127.0.0.1:${port}/v1${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", "idempotency-key": newId("request"), ...headers },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(await answer.text());
  return answer.json();
}

/** A key of a new account, with a wallet. */
async function createWallet() {
  const accountId = newId("account");
  const token = await platform.database.db.transaction(async (tx) => {
    await tx.insert(accounts).values({ id: accountId, name: "Bench" });
    return createCreditToken(tx, accountId);
  });
  const scopes = ["wallets:read", "wallets:create", "trading:execute"];
  const { secret } = await post("/api-keys", { "x-service-credit-token": token }, { label: "Bench", scopes });
  const headers = { authorization: `Bearer ${secret}` };
  const { wallet } = await post("/wallets", headers, { label: "Bench" });
  return { headers, walletId: wallet.id as string };
}

const chain = platform.chains.all[0] as Chain;
const venue = venueOf(chain) as Venue;
const gold = chain.tokens.find(({ symbol }) => symbol === "GOLD")?.asset as `0x${string}`;
const { usd } = chain.contracts;
const amountIn = parseEther("1");
const { headers, walletId } = await createWallet();
const bare = createPublicClient({ transport: http(settings.rpcUrl) });

const subjects: Record<"bare" | "quote" | "operation", () => Promise<unknown>> = {
  bare: () =>
    bare.simulateContract({
      address: settings.contracts.venue?.quoter as `0x${string}`,
      abi: quoterAbi,
      functionName: "quoteExactInputSingle",
      args: [{ tokenIn: gold, tokenOut: usd, amountIn, fee: 3000, sqrtPriceLimitX96: 0n }],
    }),
  quote: () => venue.quoteExactIn({ from: gold, to: usd, amountIn }),
  operation: () =>
    post("/trading/quotes", headers, {
      ...{ walletId, symbol: "GOLD-USD", side: "sell", type: "market", quantity: "1" },
    }),
};

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

const taken = { bare: [] as number[], quote: [] as number[], operation: [] as number[] };
for (let round = 0; round < WARM_UP + ROUNDS; round++) {
  for (const name of ["bare", "quote", "operation"] as const) {
    const started = performance.now();
    await subjects[name]();
    if (round >= WARM_UP) taken[name].push(performance.now() - started);
  }
}
console.log(
  JSON.stringify({
    bareMs: median(taken.bare),
    quoteMs: median(taken.quote),
    operationMs: median(taken.operation),
  }),
);
await door.close(1000);
await platform.close();
stop();
