import { once } from "node:events";
import { afterAll, expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";
import { decide } from "#server/testing/approvals.ts";
import { startTestChain } from "#server/testing/chain.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { eventsKept, listen } from "#server/testing/events.ts";
import { startJobs } from "#server/testing/jobs.ts";
import { balanceOf, swap } from "#server/testing/swaps.ts";
import { createWallet, startSending, startTransactionWorker } from "#server/testing/transactions.ts";

const chain = await startTestChain();
const api = await startApi({ settings: { chains: [chain.settings] } });
const engine = await startSending(api);
afterAll(() => engine.stop());
const { client: sql } = api.platform.database;
await sql`create table halts (status text)`;
await sql`create function halt() returns trigger language plpgsql as $$
  begin
    if exists (select from halts where status = new.status) then perform pg_sleep(600); end if;
    return new;
  end $$`;
await sql`create trigger halt after update on swaps for each row execute function halt()`;

/** Runs a worker until it has written this status without committing, and kills it there. */
async function killAt(status: string) {
  await sql`insert into halts values (${status})`;
  const child = await startTransactionWorker(api, chain.settings, "jobs");
  const halted = () =>
    sql`select pid from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`;
  await expect.poll(async () => (await halted()).length).toBe(1);
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
  await sql`delete from halts`;
  // The database would otherwise notice only when it responds.
  for (const { pid } of await halted()) await sql`select pg_terminate_backend(${pid})`;
}

test("executes an approved swap once, wherever its worker is killed", async () => {
  const root = await createPayingKey(api, 100);
  const [{ key }, decider] = await Promise.all([api.createChild(root.key), api.createChild(root.key)]);
  await listen(api, root.accountId);
  const policy = { approval: { aboveUsd: "100" } };
  const wallet = await createWallet(api, chain, key, { eth: "1", usd: "150", policy });
  const network = "eip155:31337";
  const [usd, gold] = [chain.token("USD"), chain.token("GOLD")];
  const made = await swap(api, key, wallet.id, {
    from: { network, asset: usd, amount: "150" },
    to: { network, asset: gold },
  });
  const { approvals } = (await api.send("GET", `/v1/approvals?id=${made.approvalId}`, { key })).body;
  await decide(api, decider.key, approvals[0]);

  const way = ["pending", "source_submitted", "source_confirmed", "completed"];
  for (const status of ["pending", "source_confirmed", "completed"]) await killAt(status);
  const worker = await startJobs(api);
  const read = async () => (await api.send("GET", `/v1/swaps/${made.id}`, { key })).body.swap;
  await expect.poll(async () => (await read()).status).toBe("completed");

  await worker.stop();
  const done = await read();
  expect(done).toMatchObject({ chargedCredits: 5, failure: null });
  expect(done.transactions).toHaveLength(2);
  expect(await chain.client.getTransactionCount({ address: wallet.address })).toBe(2);
  expect(await balanceOf(chain, usd, wallet.address)).toBe(0n);
  const { balance } = (await api.send("GET", "/v1/credits/balance", { key })).body;
  expect(balance).toMatchObject({ availableCredits: 95, reservedCredits: 0 });
  const emitted = (await eventsKept(api, root.accountId)).map(({ type }) => type);
  expect(emitted.filter((type: string) => type.startsWith("swap."))).toEqual(
    ["awaiting_approval", ...way].map((status) => `swap.${status}`),
  );
});
