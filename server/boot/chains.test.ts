import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test, vi } from "vitest";
import { defined } from "#server/base/defined.ts";
import { createTestDatabase } from "#server/testing/database.ts";
import { TEST_MNEMONIC } from "#server/testing/settings.ts";
import { startChains } from "./chains.ts";
import { ask } from "./engines/anvil.ts";

const folder = mkdtempSync(join(tmpdir(), "embedded-chains-"));
const database = await createTestDatabase();
const env = {
  dataDir: folder,
  chains: [],
  sandboxChainIds: [31_337, 31_338],
  sandboxMnemonic: TEST_MNEMONIC,
};
const somebody = "0x3000000000000000000000000000000000000001";
const sender = "0x3000000000000000000000000000000000000002";

afterAll(async () => {
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

/** Starts the chains as a process of the platform does; returns them with a function that stops them. */
async function start() {
  const stops: (() => unknown)[] = [];
  const chains = await startChains(env, database.url, stops);
  return {
    urls: chains.map(({ rpcUrl }) => rpcUrl),
    chains,
    async stop() {
      for (const stop of stops.toReversed()) await stop();
    },
  };
}

const balance = (url: string) => ask<string>(url, "eth_getBalance", somebody, "latest");
const give = (url: string, wei: string) => ask(url, "anvil_setBalance", somebody, wei);

/** Repeats `read` until it succeeds; returns its result. */
const eventually = <Result>(read: () => Promise<Result>) =>
  vi.waitFor(read, { timeout: 120_000, interval: 50 });

/** Starts the chains in a separate process, which is then killed with SIGKILL. */
async function startAndKill() {
  const program = `
    import { startChains } from ${JSON.stringify(join(import.meta.dirname, "chains.ts"))};
    await startChains(${JSON.stringify(env)}, ${JSON.stringify(database.url)}, []);
    console.log("started");
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module-typescript", "-e", program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await new Promise((started) => child.stdout.once("data", started));
  const ended = new Promise((done) => child.once("exit", done));
  child.kill("SIGKILL");
  await ended;
}

test("starts without chains on a machine that no node of theirs runs on, and says so", async () => {
  const program = `
    import { startChains } from ${JSON.stringify(join(import.meta.dirname, "chains.ts"))};
    console.log((await startChains(${JSON.stringify(env)}, ${JSON.stringify(database.url)}, [])).length);`;
  const asOther = "data:text/javascript,Object.defineProperty(process,'arch',{value:'riscv64'})";
  const args = ["--import", asOther, "--input-type=module-typescript", "-e", program];
  const child = spawn(process.execPath, args, { env: { NODE_ENV: "test", PATH: "/usr/bin:/bin" } });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  expect(stdout).toBe("0\n");
  expect(stderr).toContain("The platform starts without chains.");
});

test("seeds two chains alike, and keeps them over a stop", async () => {
  const first = await start();
  const [one, other] = first.chains;
  expect(other?.contracts).toEqual(one?.contracts);
  expect(one?.tokens.map(({ symbol }) => symbol)).toEqual(["ETH", "USD", "WETH", "GOLD", "BTC"]);
  for (const url of first.urls) await give(url, "0x10");
  await first.stop();
  for (const url of first.urls) await expect(balance(url)).rejects.toThrow("fetch failed");
  const second = await start();
  expect(second.urls).toEqual(first.urls);
  expect(await Promise.all(second.urls.map(balance))).toEqual(["0x10", "0x10"]);
  await second.stop();
});

test("takes over the nodes of a killed process", async () => {
  await startAndKill();
  const url = `http://127.0.0.1:${readFileSync(join(folder, "chains/31337/port"), "utf8")}`;
  // No process saves it, so only the running node has it.
  await give(url, "0x20");
  const { urls, stop } = await start();
  expect(await balance(defined(urls[0]))).toBe("0x20");
  await stop();
});

test("leaves the nodes running for another process that uses them", async () => {
  const one = await start();
  const other = await start();
  await one.stop();
  expect(await balance(defined(other.urls[0]))).toBe("0x20");
  await other.stop();
  await expect(balance(defined(other.urls[0]))).rejects.toThrow("fetch failed");
});

test("starts a killed node again at the same address, with the state of the last save", async () => {
  const { urls, stop } = await start();
  const [url] = urls as [string];
  const chainFolder = join(folder, "chains/31337");
  const saved = () => statSync(join(chainFolder, "state.json.gz")).mtimeMs;
  const before = saved();
  await give(url, "0x30");
  await ask(url, "evm_mine");
  await eventually(async () => expect(saved()).toBeGreaterThan(before));
  process.kill(Number(readFileSync(join(chainFolder, "anvil.pid"), "utf8")), "SIGKILL");
  expect(await eventually(() => balance(url))).toBe("0x30");
  await stop();
});

test("makes the last transactions final by empty blocks, and then no more", async () => {
  const { urls, stop } = await start();
  const [url] = urls as [string];
  const height = async () => Number(await ask<string>(url, "eth_blockNumber"));
  await ask(url, "anvil_setBalance", sender, "0xde0b6b3a7640000");
  await ask(url, "anvil_impersonateAccount", sender);
  const hash = await ask<string>(url, "eth_sendTransaction", { from: sender, to: sender });
  const receipt = () => ask<{ blockNumber: string }>(url, "eth_getTransactionReceipt", hash);
  const sent = await eventually(async () => Number((await receipt()).blockNumber));
  await eventually(async () => expect(await height()).toBe(sent + 3));
  await sleep(2500);
  expect(await height()).toBe(sent + 3);
  await stop();
});

test("moves to another port where the chain's own was taken meanwhile", async () => {
  const port = Number(readFileSync(join(folder, "chains/31337/port"), "utf8"));
  const squatter = createServer();
  const occupied = () =>
    new Promise<boolean>((done) => {
      squatter.once("error", () => done(false)).listen(port, "127.0.0.1", () => done(true));
    });
  // Another test file's chain may use the port for a while.
  await expect.poll(occupied, { interval: 100 }).toBe(true);
  const { urls, stop } = await start();
  squatter.close();
  expect(urls[0]).not.toBe(`http://127.0.0.1:${port}`);
  expect(await balance(defined(urls[0]))).toBe("0x30");
  await stop();
});
