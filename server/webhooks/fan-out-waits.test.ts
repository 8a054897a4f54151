import { expect, test } from "vitest";
import { uuidOf } from "#server/base/ids.ts";
import { startApi } from "#server/testing/api.ts";
import { runWith, startRuns } from "#server/testing/runs.ts";
import { waitsOf } from "#server/testing/sent-events.ts";
import { createWebhook, makeEvent } from "#server/testing/webhooks.ts";
import { createStarter } from "#server/testing/workflows.ts";
import { relayBatch } from "./relay.ts";

const api = await startApi();
const { client } = api.platform.database;
await startRuns(api, { slots: 8, perAccount: 8 });

/** Returns a workflow that waits for a project of this name. */
const waitFor = (project: string, more: object = {}) => ({
  name: "Wait",
  steps: [
    {
      id: "made",
      type: "await",
      events: [{ name: "project.created", where: [{ path: "data.project.name", op: "eq", value: project }] }],
      timeoutSeconds: 3600,
      ...more,
    },
  ],
});

/** Stores further waits like the only one of a run; with 999, the account has the most that it may. */
async function fillWaits(run: string, further = 999): Promise<void> {
  await client`
    insert into event_waits
    select (jsonb_populate_record(w, jsonb_build_object('step', 'copies.' || n))).*
    from event_waits w, generate_series(1, ${further}::int) n where w.run_id = ${uuidOf("run", run)}`;
}

test("refuses a step that would be the account's 1,001st wait for one of the platform's events", async () => {
  const { root, start } = await createStarter(api);
  const other = await createStarter(api);
  const first = await start(waitFor("Never"));
  await waitsOf(api, root, first);
  await fillWaits(first);
  const refused = await runWith(api, root, await start(waitFor("Mine")), "failed");
  expect(refused.error).toMatchObject({
    code: "quota_exceeded",
    step: "steps.made",
    message:
      "The account's runs wait for project.created 1,000 times, the most that they may. Wait in fewer runs, or have a trigger start a run at project.created.",
  });
  const another = await start(waitFor("Never", { events: [{ name: "project.archived" }] }));
  expect(await waitsOf(api, root, another)).toHaveLength(1);
  const foreign = await other.start(waitFor("Mine"));
  expect(await waitsOf(api, other.root, foreign)).toHaveLength(1);
  await api.mustSend(202, "POST", `/v1/runs/${first}/cancel`, { key: root, body: {} });
  await runWith(api, root, first, "cancelled");
  const next = await start(waitFor("Mine"));
  expect(await waitsOf(api, root, next)).toHaveLength(1);
});

test("lets no step begin the 1,001st wait beside others that begin at once", async () => {
  const { root, start } = await createStarter(api);
  const first = await start(waitFor("Never"));
  await waitsOf(api, root, first);
  await fillWaits(first, 997);
  const ids = await Promise.all(Array.from({ length: 6 }, () => start(waitFor("Mine"))));
  const read = async () =>
    Promise.all(
      ids.map(async (id) => {
        const { run } = await api.mustSend(200, "GET", `/v1/runs/${id}`, { key: root });
        return run.error?.code ?? run.waitsFor.length;
      }),
    );
  await expect.poll(async () => (await read()).filter((one) => one !== 0)).toHaveLength(6);
  expect((await read()).filter((one) => one === 1)).toHaveLength(2);
  expect((await read()).filter((one) => one === "quota_exceeded")).toHaveLength(4);
});

test("refuses conditions of more than 16 KB once their expressions are evaluated", async () => {
  const { fail } = await createStarter(api);
  const where = [{ path: "data.project.name", op: "ne", value: "{% input.long %}" }];
  const [step] = waitFor("Never", { events: [{ name: "project.created", where }] }).steps;
  const failed = await fail([step], { long: "x".repeat(16_400) });
  expect(failed.error).toMatchObject({ code: "invalid_request", step: "steps.made" });
  expect(failed.error.message).toContain("at most 16384");
});

test("does not wait for a run that accepts none of the events", async () => {
  const { root, start } = await createStarter(api);
  const id = await start(waitFor("Never"));
  await waitsOf(api, root, id);
  const { webhook } = await createWebhook(api, root, "https://example.com/hook", ["project.created"]);
  await makeEvent(api, root, "Another");
  await client.begin(async (tx) => {
    await tx`select from runs where id = ${uuidOf("run", id)} for update`;
    await relayBatch(client);
    const path = `/v1/webhook-deliveries?webhookId=${webhook.id}`;
    const { deliveries } = await api.mustSend(200, "GET", path, { key: root });
    expect(deliveries).toHaveLength(1);
  });
});

test("relays other accounts' events between those that a thousand waits compare, each once", async () => {
  const { root, start } = await createStarter(api);
  const other = await createStarter(api);
  const id = await start(waitFor("Last"));
  await waitsOf(api, root, id);
  await fillWaits(id);
  const hooks: { id: string }[] = [];
  for (const key of [root, other.root])
    hooks.push((await createWebhook(api, key, "https://example.com/hook", ["project.created"])).webhook);
  await relayBatch(client);
  for (let nth = 0; nth < 40; nth += 1) await makeEvent(api, root, `Shop ${nth}`);
  await makeEvent(api, root, "Last");
  await makeEvent(api, other.root, "Other");
  const counts = async () => {
    const lists = [];
    for (const [nth, key] of [root, other.root].entries()) {
      const path = `/v1/webhook-deliveries?webhookId=${hooks[nth]?.id}&limit=100`;
      lists.push((await api.mustSend(200, "GET", path, { key })).deliveries.length);
    }
    return lists;
  };
  expect(await relayBatch(client)).toMatchObject({ full: true, resumed: 0 });
  const [some, all] = await counts();
  expect(some).toBeGreaterThan(0);
  expect(some).toBeLessThan(41);
  expect(all).toBe(1);
  expect(await relayBatch(client)).toMatchObject({ full: false, resumed: 1 });
  expect(await counts()).toEqual([41, 1]);
});
