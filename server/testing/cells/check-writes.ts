import { generateKeyPairSync } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { toUuid, uuidOf } from "#server/base/ids.ts";
import { verifyRestored } from "#server/boot/backup/verify-restored.ts";
import type { Load, Made } from "./load.ts";
import type { Cell } from "./start-cells.ts";

const RUNS_MS = 60_000;
const SAMPLE = 20;

/**
 * Returns a fault for each acknowledged name that is missing, each that is stored twice, and each that no response has
 * named.
 */
function differences(kind: string, acknowledged: readonly string[], found: readonly string[]): string[] {
  const count = new Map<string, number>();
  for (const name of found) count.set(name, (count.get(name) ?? 0) + 1);
  const known = new Set(acknowledged);
  return [
    ...acknowledged
      .filter((name) => !count.has(name))
      .map((name) => `${kind}: ${name} was answered and is not there.`),
    ...[...count]
      .filter(([, times]) => times > 1)
      .map(([name]) => `${kind}: ${name} is there more than once.`),
    ...[...count]
      .filter(([name]) => !known.has(name))
      .map(([name]) => `${kind}: no response has named ${name}.`),
  ];
}

async function namesIn({ database }: Cell, accountId: string): Promise<Made> {
  const account = toUuid("account", accountId);
  const { client } = database;
  const names = async (rows: PromiseLike<{ name: string }[]>) => (await rows).map(({ name }) => name);
  return {
    projects: await names(client`select name from projects where account_id = ${account}`),
    memories: await names(client`select content as name from memories where account_id = ${account}`),
    runs: await names(client`select id::text as name from runs where account_id = ${account}`),
    keys: await names(client`select label as name from api_keys where account_id = ${account} and depth > 0`),
    files: await names(client`select name from files where account_id = ${account}`),
  };
}

/** Waits until all runs of the account have ended, and returns those that did not succeed. */
async function failedRuns({ database }: Cell, accountId: string): Promise<string[]> {
  const until = Date.now() + RUNS_MS;
  for (;;) {
    const runs = await database.client<{ id: string; status: string }[]>`
      select id::text, status from runs where account_id = ${toUuid("account", accountId)} and status <> 'succeeded'`;
    if (runs.length === 0) return [];
    if (Date.now() > until) return runs.map(({ id, status }) => `runs: ${id} is ${status}.`);
    await sleep(50);
  }
}

/**
 * Returns the faults in an account's writes in its current cell. Each acknowledged write exists exactly once and no
 * other does, every run has had its one effect, and the balance equals the credits less the charged calls.
 */
export async function checkWrites(
  cell: Cell,
  origin: string,
  load: Load,
  credits: number,
): Promise<string[]> {
  const { accountId, made, key } = load;
  const unended = await failedRuns(cell, accountId);
  const found = await namesIn(cell, accountId);
  const runIds = made.runs.map((id) => uuidOf("run", id) ?? id);
  // A run's memory has the run's name, which begins with its kind.
  const ofRuns = found.memories.filter((content) => content.startsWith("runs-"));
  const ofCalls = found.memories.filter((content) => content.startsWith("memories-"));
  const call = async (path: string, secret: string) => {
    const response = await fetch(`${origin}${path}`, { headers: { authorization: `Bearer ${secret}` } });
    return { status: response.status, body: await response.json() };
  };
  const { body } = await call("/v1/credits/balance", key);
  const left = credits - made.memories.length - made.runs.length;
  const refused: string[] = [];
  for (const secret of [...load.secrets.slice(0, SAMPLE), ...load.secrets.slice(-SAMPLE)]) {
    const { status } = await call("/v1/projects?limit=1", secret);
    if (status !== 200) refused.push(`keys: a new key is answered ${status}.`);
  }
  return [
    ...unended,
    ...differences("projects", made.projects, found.projects),
    ...differences("files", made.files, found.files),
    ...differences("keys", made.keys, found.keys),
    ...differences("runs", runIds, found.runs),
    ...differences("memories", made.memories, ofCalls),
    ...(new Set(ofRuns).size === ofRuns.length && ofRuns.length === runIds.length
      ? []
      : [`runs: ${runIds.length} runs had ${ofRuns.length} effects.`]),
    ...(body.balance?.availableCredits === left && body.balance.reservedCredits === 0
      ? []
      : [`balance: ${JSON.stringify(body.balance ?? body)} in place of ${left} credits.`]),
    ...refused,
  ];
}

/** Returns how many of the account's audit events in one cell are missing in the other. */
export async function missingEvents(from: Cell, to: Cell, accountId: string): Promise<number> {
  const account = toUuid("account", accountId);
  const idsIn = async ({ database }: Cell) =>
    (await database.client<{ id: string }[]>`select id from audit_chain where account_id = ${account}`).map(
      ({ id }) => id,
    );
  const arrived = new Set(await idsIn(to));
  return (await idsIn(from)).filter((id) => !arrived.has(id)).length;
}

/** Returns the faults in a cell's ledger and audit chains. */
export async function checkBooks({ name, database }: Cell): Promise<string[]> {
  const { privateKey } = generateKeyPairSync("ed25519");
  const { faults } = await verifyRestored(database.url, null, privateKey, null);
  return faults.map((fault) => `${name}: ${fault}`);
}
