import { isNull, sql, sum } from "drizzle-orm";
import { expect, test } from "vitest";
import { memories } from "#db/schema/memory.ts";
import { projects } from "#db/schema/projects.ts";
import { runs } from "#db/schema/runs.ts";
import { THIS_RELEASE } from "#server/testing/production.ts";
import { checkAudit } from "#server/testing/torture/invariants/audit.ts";
import { checkLedger } from "#server/testing/torture/invariants/ledger.ts";
import { rollOut } from "#server/testing/upgrade/roll-out.ts";

/** `npm run upgrade` sets an earlier release; by default the same one is restarted. */
const { UPGRADE_FROM = THIS_RELEASE.tree, UPGRADE_COMMIT = "0000000" } = process.env;

// Ten starts of processes under load take minutes where others have the cores.
test("no call fails, no event is lost and no step is repeated while a release replaces another under load", {
  timeout: 1_500_000,
}, async () => {
  const { production, customer, credits } = await rollOut(
    { tree: UPGRADE_FROM, commit: UPGRADE_COMMIT },
    THIS_RELEASE,
  );
  const { database } = production;
  const { answers, followers, longest } = customer;
  console.log(
    `${answers.length} calls, ${followers.size} runs; unless all is well, the logs stay in ${production.folder}`,
  );
  expect(customer.failures()).toEqual([]);
  expect(production.errors()).toEqual([]);

  // Each of them was told to reconnect by every process that ended.
  for (const { streams } of longest) expect(streams()).toBeGreaterThan(1);
  for (const [id, follower] of followers) {
    const { run } = await customer.read(`/v1/runs/${id}`);
    expect(run).toMatchObject({ status: "succeeded", timeline: follower.seen });
    expect(await follower.ended).toMatchObject({ status: "succeeded", timeline: run.timeline });
  }
  // The trigger's runs may still be under way.
  const live = () => database.db.select().from(runs).where(isNull(runs.finishedAt));
  await expect.poll(live).toEqual([]);
  const kept = await database.db.select().from(memories);
  expect(kept.map(({ content }) => content).toSorted()).toEqual(customer.contents.toSorted());
  const made = await database.db.select().from(projects);
  expect(made.map(({ name }) => name).toSorted()).toEqual(customer.projects.toSorted());

  const [charged] = await database.db.select({ byRuns: sum(runs.chargedCredits).mapWith(Number) }).from(runs);
  const availableCredits = credits - customer.charged() - (charged?.byRuns ?? 0);
  const { balance } = await customer.read("/v1/credits/balance");
  expect(balance).toMatchObject({ availableCredits, reservedCredits: 0 });
  expect(await checkLedger(production)).toEqual([]);
  const succeeded = answers.map(({ requestId }) => requestId);
  await expect.poll(() => checkAudit(production, new Set(succeeded))).toEqual([]);
  const failedJobs = sql`select task_identifier, last_error from graphile_worker.jobs where last_error is not null`;
  expect(await database.db.execute(failedJobs)).toHaveLength(0);
  production.forget();
});
