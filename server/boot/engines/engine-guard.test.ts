import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { createTestDatabase } from "#server/testing/database.ts";
import { TEST_MNEMONIC } from "#server/testing/settings.ts";
import { childrenOf } from "../../workflows/cpu-time.ts";
import { isAlive } from "../processes.ts";

const folders: string[] = [];
const database = await createTestDatabase();
afterAll(async () => {
  await database.drop();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function newFolder() {
  const folder = mkdtempSync(join(tmpdir(), "guarded-"));
  folders.push(folder);
  return folder;
}

/** Starts a process that uses a cluster and a chain of the folder; returns their process ids. */
async function useEngines(folder: string, waitSeconds: number) {
  const module = (name: string) => JSON.stringify(join(import.meta.dirname, name));
  const env = { dataDir: folder, chains: [], sandboxChainIds: [31_337], sandboxMnemonic: TEST_MNEMONIC };
  const program = `
    import { openEngineGuard } from ${module("engine-guard.ts")};
    import { startPostgres } from ${module("postgres.ts")};
    import { startChains } from ${module("../chains.ts")};
    const guard = openEngineGuard(${JSON.stringify(folder)}, ${waitSeconds});
    const cluster = await startPostgres({ name: "platform", dataDir: ${JSON.stringify(join(folder, "platform"))}, guard });
    await startChains(${JSON.stringify(env)}, ${JSON.stringify(database.url)}, [], guard);
    console.log(cluster.pid);
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module-typescript", "-e", program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [cluster] = await once(createInterface(child.stdout), "line");
  const chain = readFileSync(join(folder, "chains/31337/anvil.pid"), "utf8");
  return { child, engines: [Number(cluster), Number(chain)] };
}

const guardOf = (folder: string) => Number(readFileSync(join(folder, "engines.fifo.guard"), "utf8"));

async function kill(child: ChildProcess) {
  child.kill("SIGKILL");
  await once(child, "exit");
}

const living = (pids: readonly number[]) => pids.filter(isAlive);
const gone = (pids: readonly number[]) => expect.poll(() => living(pids), { interval: 100 }).toEqual([]);

test("engines of a killed process wait for the next one, which joins them, and end by themselves after the last", async () => {
  const folder = newFolder();
  const first = await useEngines(folder, 10);
  const guard = guardOf(folder);
  await kill(first.child);
  // It counts the seconds by sleeping. A slow machine needs more of them to start the next process.
  await expect.poll(() => childrenOf(guard)).toHaveLength(1);
  process.kill(guard, "SIGSTOP");
  const second = await useEngines(folder, 10);
  process.kill(guard, "SIGCONT");
  expect(second.engines).toEqual(first.engines);
  await sleep(11_000);
  expect(living(second.engines)).toEqual(second.engines);
  await kill(second.child);
  await gone([...second.engines, guard]);
});

test("engines end though their guard was killed before their process", async () => {
  const folder = newFolder();
  const { child, engines } = await useEngines(folder, 1);
  const killed = guardOf(folder);
  process.kill(killed, "SIGKILL");
  await expect.poll(() => guardOf(folder)).not.toBe(killed);
  await kill(child);
  await gone([...engines, guardOf(folder)]);
});

test("engines end at once where the process was killed and its folder is gone", async () => {
  const folder = newFolder();
  const { child, engines } = await useEngines(folder, 3600);
  const guard = guardOf(folder);
  await kill(child);
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  await gone([...engines, guard]);
});

test("a guard of engines that have stopped ends at once", async () => {
  const folder = newFolder();
  const { child, engines } = await useEngines(folder, 3600);
  for (const pid of engines) process.kill(pid, "SIGTERM");
  await kill(child);
  await gone([...engines, guardOf(folder)]);
});
