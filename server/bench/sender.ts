import { startTransactionEngine } from "../wallets/transactions/transaction-engine.ts";
import { startBenchApi } from "./bench-api.ts";
import { benchChain } from "./chain.ts";

// The platform whose wallets send: `node sender.ts DATABASE_URL RPC_URL` prints `{ port, key }` as JSON.
const [, , databaseUrl = "", rpcUrl = ""] = process.argv;
const NOWHERE = "0x0000000000000000000000000000000000000000";

const { port, createKey } = await startBenchApi(databaseUrl, {
  settings: {
    chains: [
      {
        ...benchChain(rpcUrl),
        contracts: { multicall3: NOWHERE, wrappedNative: NOWHERE, usd: NOWHERE, venue: null, bridge: null },
        tokens: [{ asset: "native", symbol: "ETH", name: "Ether", decimals: 18 }],
      },
    ],
  },
});
await startTransactionEngine({ url: databaseUrl, directUrl: databaseUrl });
const scopes = ["wallets:create", "wallets:transact", "wallets:read"];
const { headers } = await createKey(scopes, { credits: 1_000_000 });
console.log(JSON.stringify({ port, headers }));
