import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import postgres from "postgres";
import { createTestClient, createWalletClient, defineChain, http, parseEther, publicActions } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { defined } from "../base/defined.ts";
import { toUuid, uuidOf } from "../base/ids.ts";
import { benchChain, startBenchNode } from "./chain.ts";
import { postTo } from "./post-to.ts";
import { median } from "./report.ts";

// Measures sends from wallets beside bare viem on the same chain: `node transactions.ts DATABASE_URL` prints JSON. The
// callers are outside the platform's process, as customers are: this process is both the bare senders and the
// platform's callers.
const databaseUrl = defined(process.argv[2]);
const SENDS = 60;
const WALLETS = 10;
const EACH = 20;
const ROUNDS = 3;
const TO = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

const { rpcUrl, stop } = await startBenchNode();
const { chainId, name } = benchChain(rpcUrl);
const sender = spawn(
  process.execPath,
  [fileURLToPath(new URL("sender.ts", import.meta.url)), databaseUrl, rpcUrl],
  { stdio: ["ignore", "pipe", "inherit"] },
);
const [line] = await once(createInterface(sender.stdout), "line");
const { port, headers } = JSON.parse(line) as { port: number; headers: Record<string, string> };
const post = postTo(port);
const sql = postgres(databaseUrl, { max: 1, onnotice: () => undefined });

const viemChain = defineChain({
  id: chainId,
  name,
  rpcUrls: { default: { http: [rpcUrl] } },
  nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
});
const test = createTestClient({
  mode: "anvil",
  chain: viemChain,
  transport: http(rpcUrl),
  pollingInterval: 10,
}).extend(publicActions);
const fund = (address: `0x${string}`) => test.setBalance({ address, value: parseEther("1000") });

/** Creates a wallet of the platform with funds. */
async function createWallet(): Promise<string> {
  const { wallet } = await post("/wallets", headers, { label: "Bench" });
  await fund(wallet.address);
  return wallet.id;
}

/** Creates a viem client of an account with funds. */
async function createBare() {
  const account = privateKeyToAccount(generatePrivateKey());
  await fund(account.address);
  return createWalletClient({ account, chain: viemChain, transport: http(rpcUrl) });
}

const quote = async (wallet: string): Promise<string> => {
  const body = { network: "eip155:31337", to: TO, asset: "native", amount: "0.01" };
  return (await post(`/wallets/${wallet}/transactions/quote`, headers, body)).quote.id;
};
const create = async (wallet: string, quoteId: string) =>
  (await post(`/wallets/${wallet}/transactions`, headers, { quoteId })).transaction;
const value = parseEther("0.01");

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const now = () => performance.timeOrigin + performance.now();

// Bare viem with its defaults: each send reads chain, nonce, gas and fees, signs, and submits. It keeps no record,
// charges nobody and checks no policy; the rate waits for each receipt before an account's next send.
async function bareSend(): Promise<number> {
  const bare = await createBare();
  const times: number[] = [];
  for (let nth = 0; nth < SENDS; nth++) {
    const begun = now();
    await bare.sendTransaction({ to: TO, value });
    times.push(now() - begun);
    await pause(5);
  }
  return median(times);
}

/**
 * Returns the time from creation to broadcast by the transaction's own timestamps, and from before the call that
 * creates it.
 */
async function platformSend(): Promise<{ created: number; called: number }> {
  const wallet = await createWallet();
  const times: { created: number; called: number }[] = [];
  while (times.length < SENDS) {
    const quoteId = await quote(wallet);
    const begun = now();
    const { id } = await create(wallet, quoteId);
    times.push(await broadcastTimes(id, begun));
  }
  return {
    created: median(times.map(({ created }) => created)),
    called: median(times.map(({ called }) => called)),
  };
}

async function broadcastTimes(id: string, begun: number) {
  for (;;) {
    const [row] = await sql<{ created: number; at: number }[]>`
      select (extract(epoch from broadcast_at - created_at) * 1000)::float8 as created,
        (extract(epoch from broadcast_at) * 1000)::float8 as at
      from wallet_transactions where id = ${uuidOf("transaction", id)} and status = 'confirmed'`;
    if (row) return { created: row.created, called: row.at - begun };
    await pause(5);
  }
}

async function barePerSecond(): Promise<number> {
  const bares = await Promise.all(Array.from({ length: WALLETS }, createBare));
  const begun = now();
  await Promise.all(
    bares.map(async (bare) => {
      for (let nth = 0; nth < EACH; nth++) {
        const hash = await bare.sendTransaction({ to: TO, value });
        await test.waitForTransactionReceipt({ hash });
      }
    }),
  );
  return (WALLETS * EACH * 1000) / (now() - begun);
}

async function platformPerSecond(): Promise<number> {
  const wallets = await Promise.all(Array.from({ length: WALLETS }, createWallet));
  const quotes = await Promise.all(
    wallets.map((wallet) => Promise.all(Array.from({ length: EACH }, () => quote(wallet)))),
  );
  const ids = wallets.map((wallet) => toUuid("wallet", wallet));
  const begun = now();
  await Promise.all(
    wallets.map(async (wallet, nth) => {
      for (const quoteId of defined(quotes[nth])) await create(wallet, quoteId);
    }),
  );
  for (;;) {
    const [row] = await sql<{ open: number; last: number }[]>`
      select count(*) filter (where status <> 'confirmed')::int as open,
        (extract(epoch from max(confirmed_at)) * 1000)::float8 as last
      from wallet_transactions where wallet_id = any(${ids}::uuid[])`;
    if (row?.open === 0) return (WALLETS * EACH * 1000) / (row.last - begun);
    await pause(25);
  }
}

type Round = Record<"bareSendMs" | "sendMs" | "callMs" | "barePerSecond" | "perSecond", number>;

async function measureRound(): Promise<Round> {
  const bareSendMs = await bareSend();
  const { created, called } = await platformSend();
  return {
    bareSendMs,
    sendMs: created,
    callMs: called,
    barePerSecond: await barePerSecond(),
    perSecond: await platformPerSecond(),
  };
}

// A first round warms up both sides and does not count.
await measureRound();
const rounds: Round[] = [];
while (rounds.length < ROUNDS) rounds.push(await measureRound());
const medianOf = (name: keyof Round) => median(rounds.map((round) => round[name]));
console.log(
  JSON.stringify({
    bareSendMs: medianOf("bareSendMs"),
    sendMs: medianOf("sendMs"),
    callMs: medianOf("callMs"),
    barePerSecond: medianOf("barePerSecond"),
    perSecond: medianOf("perSecond"),
  }),
);
await sql.end({ timeout: 5 });
sender.kill("SIGKILL");
stop();
