import type { Mutation, Proof } from "./mutation.ts";

const torture = (seconds: number, areas: string[], faults?: string[]): Proof => ({
  by: "torture",
  seconds,
  seed: 7,
  areas,
  ...(faults && { faults }),
});

/** Faults that only appear while processes fail, databases stop and many callers compete. */
export const TORTURE_MUTATIONS: readonly Mutation[] = [
  {
    name: "a lease that is not fenced",
    changes: [
      {
        file: "db/functions/idempotency.sql",
        before: "r.key = p_key and r.owner = p_owner and r.state = 'running';",
        after: "r.key = p_key;",
      },
    ],
    proof: torture(40, ["uploads"], ["freeze a process and end its connections"]),
  },
  {
    name: "a claim that two calls have",
    changes: [
      {
        file: "db/functions/idempotency.sql",
        before: "          and (r.lease_until < clock_timestamp() or (p_orphaned and",
        after: "          and (true or (p_orphaned and",
      },
      {
        file: "db/functions/idempotency.sql",
        before: "r.key = p_key and r.owner = p_owner and r.state = 'running';",
        after: "r.key = p_key;",
      },
    ],
    proof: torture(30, ["projects", "keys"], ["freeze a process"]),
  },
  {
    name: "a hold that is not released",
    changes: [
      {
        file: "server/services/invoke-outside.ts",
        before: "  if (hold) await releaseHold(tx, hold);\n",
        after: "",
      },
    ],
    proof: torture(20, ["charges"], ["freeze a process"]),
  },
  {
    name: "a limit counted after the call",
    changes: [
      {
        file: "db/functions/ledger.sql",
        before:
          "  if refusal is null then perform ledger_count(p_account, p_keys, p_selectors, p_amount, p_day); end if;\n  return refusal;",
        after: "  return refusal;",
      },
      {
        file: "db/functions/ledger.sql",
        before:
          "  if p_amount < hold.amount then perform ledger_count(p_account, hold.key_ids, hold.selectors, p_amount - hold.amount, hold.day); end if;",
        after: "  perform ledger_count(p_account, hold.key_ids, hold.selectors, p_amount, hold.day);",
      },
    ],
    proof: torture(30, ["charges"], ["freeze a process"]),
  },
  {
    name: "a limit that forgets after a crash",
    changes: [
      {
        file: "db/functions/admit.sql",
        before: "e.id >= uuid_floor(now() - interval '61 seconds') and e.counted",
        after: "e.id >= uuid_floor(now() + interval '61 seconds') and e.counted",
      },
    ],
    proof: torture(40, ["limits"], ["kill the database", "freeze a process", "cut a process off"]),
  },
  {
    name: "an event sent before its commit",
    changes: [
      {
        file: "server/events/emit-event.ts",
        before: "await tx.execute<{ kept: boolean }>(",
        after: "await (runningPlatform()?.database.db ?? tx).execute<{ kept: boolean }>(",
      },
    ],
    proof: torture(30, ["projects"]),
  },
  {
    name: "a delivery marked before it is sent",
    changes: [
      {
        file: "server/webhooks/deliverer.ts",
        before: "    const attempted = await span(\n",
        after:
          "    await record([{ due, attempted: { ...unsent(), succeeded: true } }]).catch(() => undefined);\n    const attempted = await span(\n",
      },
    ],
    proof: torture(30, ["projects"], ["kill a process"]),
  },
  {
    name: "a nonce used twice",
    changes: [
      {
        file: "server/wallets/transactions/sign.ts",
        before: "      funds -= cost;\n      nonce += 1;\n",
        after: "      funds -= cost;\n",
      },
    ],
    proof: torture(20, ["sends"], ["freeze a process"]),
  },
  {
    name: "a quote executed twice",
    changes: [
      {
        file: "db/functions/quotes.sql",
        before: "q.id = p_id and q.used_by is null and",
        after: "q.id = p_id and",
      },
    ],
    proof: torture(20, ["sends"], ["freeze a process"]),
  },
  {
    name: "a reservation not counted in a cap",
    changes: [
      {
        file: "db/functions/caps.sql",
        before: "set used_usd = d.used_usd + excluded.used_usd;",
        after: "set used_usd = excluded.used_usd;",
      },
    ],
    proof: torture(20, ["sends"], ["freeze a process"]),
  },
  {
    name: "an audit event outside its transaction",
    changes: [
      {
        file: "db/functions/idempotency.sql",
        before: "  perform record_events(p_events);\n",
        after: "",
      },
      {
        file: "server/operation/record.ts",
        before:
          "  { response, recorded, unflushed, replayOf = null }: CallOutcome,\n  started: number,\n): Promise<ApiError | null> {\n",
        after:
          "  { response, recorded: _, unflushed, replayOf = null }: CallOutcome,\n  started: number,\n): Promise<ApiError | null> {\n  const recorded = false;\n",
      },
    ],
    proof: torture(40, ["projects", "keys"], ["kill a process", "end a process's connections"]),
  },
  {
    name: "a step made again under another key",
    changes: [
      {
        file: "server/runs/call-operation.ts",
        before: 'update(name).digest("hex")',
        after: 'update(newId("request")).digest("hex")',
      },
    ],
    proof: torture(45, ["runs", "agents"], ["kill a process"]),
  },
  {
    name: "a tick taken before its run is made",
    changes: [
      {
        file: "db/functions/trigger-ticks.sql",
        before: "  at := tick.at;\n  kind := tick.kind;\n",
        after:
          "  at := tick.at;\n  kind := tick.kind;\n  update trigger_ticks k set state = 'started', try_at = null where k.account_id = p_account and k.trigger_id = p_trigger and k.at = tick.at;\n",
      },
      {
        file: "db/functions/trigger-ticks.sql",
        before: "k.at = p_at and k.state = 'waiting';\n  return found;",
        after: "k.at = p_at;\n  return found;",
      },
    ],
    proof: torture(40, ["triggers"], ["kill a process", "kill the database", "end a process's connections"]),
  },
  {
    name: "an event that counts as often as it is sent",
    changes: [
      {
        file: "db/functions/sent-events.sql",
        before: "p_name, p_key, p_reference, p_data, p_tier, clock_timestamp())",
        after: "p_name, p_key, null, p_data, p_tier, clock_timestamp())",
      },
    ],
    proof: torture(20, ["sent events"], ["freeze a process"]),
  },
  {
    name: "a slot that an ended run keeps",
    changes: [
      {
        file: "db/functions/runs.sql",
        before: "  if run.concurrency is not null then perform free_slots(run, true); end if;",
        after:
          "  if run.concurrency is not null and p_worker is not null then perform free_slots(run, true); end if;",
      },
    ],
    proof: torture(30, ["flow"], ["freeze a process"]),
  },
  {
    name: "a debounce that replaces a run after its start",
    changes: [
      {
        file: "server/runs/debounce.ts",
        before: "        isNotNull(runs.delayedUntil),\n",
        after: "        isNull(runs.finishedAt),\n",
      },
      {
        file: "server/runs/debounce.ts",
        before: 'import { and, eq, isNotNull, sql } from "drizzle-orm";',
        after: 'import { and, eq, isNull, sql } from "drizzle-orm";',
      },
    ],
    proof: torture(30, ["flow"], ["freeze a process"]),
  },
  {
    name: "a tenant's commit that is not remembered",
    changes: [
      {
        file: "server/databases/commits.ts",
        before:
          "  await tx.insert(databaseCommits).values({ ...call, name: tenant.database, transactionId, answer: sealed });\n",
        after: "  void [tx, call, transactionId, sealed];\n",
      },
    ],
    proof: torture(40, ["databases"], ["kill a process", "freeze a process and end its connections"]),
  },
  {
    name: "a blob that nobody sweeps",
    changes: [
      {
        file: "server/files/delete-file.ts",
        before: "      await dropBlob(tx, row.blobKey);\n",
        after: "",
      },
    ],
    proof: torture(40, ["uploads"], ["kill a process", "freeze a process and end its connections"]),
  },
  {
    name: "a disk budget that is not reserved",
    changes: [
      {
        file: "db/functions/storage.sql",
        before: "  where u.account_id = p_account and u.kind = p_kind for no key update;\n  granted",
        after: "  where u.account_id = p_account and u.kind = p_kind;\n  granted",
      },
    ],
    proof: torture(40, ["uploads"], ["freeze a process"]),
  },
  {
    name: "an answer of another query",
    changes: [
      {
        file: "db/connection-patches.mjs",
        before: "    sent.length && ((query = sent.shift()).active = true)\n",
        after:
          "    sent.length > 1 && sent.push(sent.shift())\n    sent.length && ((query = sent.shift()).active = true)\n",
      },
    ],
    proof: torture(40, ["reads"], ["freeze the database"]),
  },
];
