import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { uuidOf } from "#server/base/ids.ts";
import { startApi } from "#server/testing/api.ts";
import { runWith, startRuns } from "#server/testing/runs.ts";
import { createWebhook, makeEvent } from "#server/testing/webhooks.ts";
import { createStarter } from "#server/testing/workflows.ts";
import { relayBatch } from "#server/webhooks/relay.ts";

const api = await startApi();
const { client } = api.platform.database;
await startRuns(api, { slots: 8, perAccount: 8 });

const lookFor = (project: string, timeoutSeconds: number) => ({
  name: "Look back",
  steps: [
    {
      id: "made",
      type: "await",
      events: [{ name: "project.created", where: [{ path: "data.project.name", op: "eq", value: project }] }],
      lookbackSeconds: 3600,
      timeoutSeconds,
    },
  ],
});

/** Creates an account with several pages of events, then one of a project "Last", all of which are fanned out. */
async function createPast() {
  const starter = await createStarter(api);
  await createWebhook(api, starter.root, "https://example.com/hook", ["project.archived"]);
  await makeEvent(api, starter.root, "Earlier");
  await relayBatch(client);
  await client`
    insert into webhook_events
    select (jsonb_populate_record(e, jsonb_build_object('id', uuidv7(), 'n', n))).* from webhook_events e, generate_series(1, 900) n
    where e.account_id = ${uuidOf("account", starter.accountId)} and e.type = 'project.created'`;
  const last = await makeEvent(api, starter.root, "Last");
  await relayBatch(client);
  return { ...starter, last };
}

/** Keeps the stored events from being read while a function runs, which is called once a search waits for them. */
async function whileUnreadable(begin: () => Promise<unknown>, work: () => Promise<unknown>): Promise<void> {
  await client.begin(async (tx) => {
    await tx`lock table webhook_events in access exclusive mode`;
    await begin();
    await expect
      .poll(() => client`select from pg_locks where relation = 'webhook_events'::regclass and not granted`)
      .toHaveLength(1);
    await work();
  });
}

test("finds an event behind many others, though the step waits for a moment only", async () => {
  const { root, start, last } = await createPast();
  const found = await runWith(api, root, await start(lookFor("Last", 0.001)), "succeeded");
  expect(found.result.output.event.data.project.id).toBe(last);
  const none = await runWith(api, root, await start(lookFor("Never", 0.001)), "failed");
  expect(none.error).toMatchObject({ code: "service_timeout", step: "steps.made" });
});

test("lets a run be cancelled while it searches earlier events", async () => {
  const { root, start } = await createPast();
  let id = "";
  await whileUnreadable(
    async () => {
      id = await start(lookFor("Never", 3600));
    },
    () => api.mustSend(202, "POST", `/v1/runs/${id}/cancel`, { key: root, body: {} }),
  );
  await runWith(api, root, id, "cancelled");
});

test("ends the wait at its timeout, though not all earlier events are searched", async () => {
  const { root, start } = await createPast();
  let id = "";
  await whileUnreadable(
    async () => {
      id = await start(lookFor("Last", 1));
    },
    () => setTimeout(6000),
  );
  const run = await runWith(api, root, id, "failed");
  expect(run.error).toMatchObject({ code: "service_timeout", step: "steps.made" });
});
