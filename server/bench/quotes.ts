import { createPublicClient, http, parseEther } from "viem";
import { defined } from "../base/defined.ts";
import { quoterAbi } from "../providers/chain/abi.ts";
import { venueOf } from "../providers/venue/venue-of.ts";
import { startBenchApi } from "./bench-api.ts";
import { startBenchChain } from "./chain.ts";
import { median } from "./report.ts";

// Measures quotes over one pool beside bare calls of the quoter: `node quotes.ts DATABASE_URL` prints the medians as
// JSON.
const ROUNDS = 400;
const WARM_UP = 50;

const { settings, stop } = await startBenchChain();
const { platform, post, createKey, close } = await startBenchApi(defined(process.argv[2]), {
  settings: { chains: [settings] },
});

const chain = defined(platform.chains.all[0]);
const venue = defined(venueOf(chain));
const gold = chain.tokens.find(({ symbol }) => symbol === "GOLD")?.asset as `0x${string}`;
const { usd } = chain.contracts;
const amountIn = parseEther("1");
const { headers } = await createKey(["wallets:read", "wallets:create", "trading:execute"]);
const { id: walletId } = (await post("/wallets", headers, { label: "Bench" })).wallet;
const bare = createPublicClient({ transport: http(settings.rpcUrl) });

const subjects: Record<"bare" | "quote" | "operation", () => Promise<unknown>> = {
  bare: () =>
    bare.simulateContract({
      address: defined(settings.contracts.venue?.quoter),
      abi: quoterAbi,
      functionName: "quoteExactInputSingle",
      args: [{ tokenIn: gold, tokenOut: usd, amountIn, fee: 3000, sqrtPriceLimitX96: 0n }],
    }),
  quote: () => venue.quoteExactIn({ from: gold, to: usd, amountIn }),
  operation: () =>
    post("/trading/quotes", headers, {
      walletId,
      symbol: "GOLD-USD",
      side: "sell",
      type: "market",
      quantity: "1",
    }),
};

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
await close();
stop();
