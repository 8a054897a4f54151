import postgres from "postgres";
import { afterAll, expect, expectTypeOf, test } from "vitest";
import { openDatabase } from "#db/client.ts";
import { newId, toUuid } from "#server/base/ids.ts";
import { enqueueJob, type Job } from "#server/jobs/enqueue-job.ts";
import { exceptFrozen } from "#server/jobs/except-frozen.ts";
import { startWorker } from "#server/jobs/worker.ts";
import { freezeAccount } from "#server/members/freeze-account.ts";
import { stopAtEnd } from "#server/testing/cleanup.ts";
import { createTestDatabase } from "#server/testing/database.ts";
import { carryJobs } from "./carry-jobs.ts";

const databases = [await createTestDatabase(), await createTestDatabase()] as const;
const [from, to] = databases.map(({ url }) => openDatabase(url)) as [
  ReturnType<typeof openDatabase>,
  ReturnType<typeof openDatabase>,
];
const connect = (url: string) => postgres(url, { max: 1, onnotice: () => undefined });
const [source, target] = [connect(databases[0].url), connect(databases[1].url)];

afterAll(async () => {
  await Promise.all([source.end(), target.end(), from.close(), to.close()]);
  for (const { drop } of databases) await drop();
});

const accountId = newId("account");
const id = newId("transfer");

const stored = (sql: postgres.Sql) => sql`
  select t.identifier as task, j.payload ->> 'accountId' as account, j.payload ->> 'id' as id, q.queue_name as queue, j.key,
    j.priority, j.attempts, j.max_attempts as most, j.run_at > now() + interval '30 minutes' as later, j.last_error as error
  from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
  left join graphile_worker._private_job_queues q on q.id = j.job_queue_id
  order by 1, 3`;

/** Opens a transaction and does this in it; `end` commits it. */
async function inTransaction(work: (tx: postgres.TransactionSql) => Promise<void>) {
  const session = connect(databases[0].url);
  const worked = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  const transaction = session.begin(async (tx) => {
    await work(tx);
    worked.resolve();
    await ended.promise;
  });
  await worked.promise;
  return {
    async end() {
      ended.resolve();
      await transaction;
      await session.end();
    },
  };
}

test("every job names its account, but mails to a person and the search of a network", () => {
  type Unowned<Named extends Job = Job> = Named extends { payload: { accountId: string } }
    ? never
    : Named["task"];
  expectTypeOf<Unowned>().toEqualTypeOf<"mailPasswordChanged" | "mailPasswordReset" | "watchRoutes">();
});

test("freezes an account while a worker postpones its jobs, and carries each job once as it was", async () => {
  const failing = stopAtEnd(
    await startWorker({
      url: databases[0].url,
      tasks: {
        removeEmptyDatabase: () => {
          throw new Error("Given up.");
        },
      },
    }),
  );
  await enqueueJob(from.db, { task: "removeEmptyDatabase", payload: { accountId }, maxAttempts: 1 });
  const givenUp = () =>
    source`select from graphile_worker._private_jobs where attempts = 1 and locked_at is null`;
  await expect.poll(givenUp).toHaveLength(1);
  await failing.stop();

  const due: Job[] = [
    {
      task: "carryTransfer",
      payload: { accountId, id },
      key: `transfer/${id}`,
      queue: "one",
      maxAttempts: 5,
    },
    { task: "forgetSteps", payload: { accountId, id } },
    { task: "mailInvitation", payload: { accountId, id }, priority: 7, maxAttempts: 12 },
  ];
  const later: Job = {
    task: "recoverPayment",
    payload: { accountId, id },
    key: "payment",
    delaySeconds: 3600,
  };
  const other: Job = { task: "mailInvitation", payload: { accountId: newId("account"), id } };
  for (const job of [...due, later, other]) await enqueueJob(from.db, job);
  const before = await stored(source);
  // The freeze waits for this transaction.
  const writing = await inTransaction(
    async (tx) => void (await tx`lock table projects in row exclusive mode`),
  );
  const frozen = freezeAccount(from.db, accountId, { seconds: 120 });
  await expect.poll(() => source`select from frozen_accounts where fenced`).toHaveLength(1);
  const [last] = await source`select max(id) as id from graphile_worker._private_jobs`;
  const ran: unknown[] = [];
  const run = async (payload: unknown) => void ran.push(payload);
  const tasks = { carryTransfer: run, forgetSteps: run, mailInvitation: run };
  const worker = stopAtEnd(await startWorker({ url: databases[0].url, tasks: exceptFrozen(from.db, tasks) }));
  const postponed = () => source`
    select from graphile_worker._private_jobs where id > ${last?.id} and payload ->> 'accountId' = ${accountId}`;
  await expect.poll(async () => (await postponed()).length).toBeGreaterThanOrEqual(due.length);

  // Keeps a worker from deleting a claimed job, beside the one that replaces it.
  const claimed = await inTransaction(async (tx) => {
    const claim = () => tx`
      select from graphile_worker._private_jobs
      where locked_at is not null and payload ->> 'accountId' = ${accountId} for key share skip locked`;
    while ((await claim()).length === 0);
  });
  await writing.end();
  await frozen;
  const [session] = await source<{ pid: number }[]>`select pg_backend_pid() as pid`;
  const carried = carryJobs(source, target, toUuid("account", accountId));
  // It has locked the other jobs and waits for this one.
  const locks = () => from.client`
    select from pg_locks where pid = ${session?.pid ?? 0} and mode = 'RowShareLock'
      and relation = 'graphile_worker._private_jobs'::regclass`;
  await expect.poll(locks).toHaveLength(1);
  await claimed.end();
  expect(await carried).toBe(due.length + 2);
  await worker.stop();
  expect(ran).toEqual([other.payload]);
  expect(await stored(target)).toEqual(before.filter(({ account }) => account === accountId));
});
