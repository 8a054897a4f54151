import { sql } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { uuidOf } from "#server/base/ids.ts";
import { ERRORS } from "#server/operation/errors.ts";
import { startApi } from "#server/testing/api.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { createRun, runWith, startRuns } from "#server/testing/runs.ts";
import { createWebhook, queuedFor } from "#server/testing/webhooks.ts";
import { NOT_KEPT } from "./kept-text.ts";

const api = await startApi();
const { db } = api.platform.database;
const worker = await startRuns(api);
afterAll(() => worker.stop());

const NAME = "Ada Lovelace";
const WAIT = { id: "pause", type: "wait", seconds: 0 };
const workflow = {
  name: "Quotes its input in an error",
  steps: [{ id: "check", type: "branch", cases: [{ when: "{% $error(input.name) %}", steps: [WAIT] }] }],
};

test.each(["private", "strict"])(
  "keeps no message that quotes the input of a %s key's run",
  async (privacyTier) => {
    const { key } = await createPayingKey(api, 10, { privacyTier });
    const { webhook } = await createWebhook(api, key, "https://example.com/hook", ["run.failed"]);
    const created = await createRun(api, key, {
      serviceId: "managed-workflows",
      operationId: "execute",
      input: { workflow, input: { name: NAME } },
    });
    const { id } = created.body.run;
    const failed = await runWith(api, key, id, "failed");
    await expect.poll(() => queuedFor(api, key, webhook.id)).toEqual(["run.failed"]);
    const meaning = ERRORS.invalid_request.meaning;
    expect(failed.error.message).toEqual(privacyTier === "strict" ? meaning : expect.stringContaining(NAME));
    const storedNames = () =>
      db.execute(sql`
        select r.error::text as text from runs r where r.id = ${uuidOf("run", id)} and r.error::text like ${`%${NAME}%`}
        union all select t.message from run_timeline t
        where t.run_id = ${uuidOf("run", id)} and t.message || coalesce(t.data::text, '') like ${`%${NAME}%`}`);
    if (privacyTier === "strict") expect(await storedNames()).toEqual([]);
    await db.execute(sql`select purge_runs(now() + interval '1 hour', 1000)`);
    expect(await storedNames()).toEqual([]);
    const purged = (await api.mustSend(200, "GET", `/v1/runs/${id}`, { key })).run;
    expect(purged.error).toEqual({ ...failed.error, message: privacyTier === "strict" ? meaning : NOT_KEPT });

    const { deliveries } = await api.mustSend(200, "GET", `/v1/webhook-deliveries?webhookId=${webhook.id}`, {
      key,
    });
    const sent = await api.mustSend(200, "GET", `/v1/webhook-deliveries/${deliveries[0].id}`, { key });
    expect(JSON.stringify(sent)).toContain(id);
    expect(JSON.stringify(sent)).not.toContain("Lovelace");
  },
);
