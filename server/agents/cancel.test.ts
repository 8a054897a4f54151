import { expect, test } from "vitest";
import { PUT, put, startAgents } from "#server/testing/agents.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { connectModel } from "#server/testing/model-server.ts";
import { runWith } from "#server/testing/runs.ts";
import { startTakeoverClock } from "#server/testing/takeover-clock.ts";

// A worker sees a cancellation in less; an answer that is awaited takes longer.
const CANCEL_MS = 5000;
// Longer than the test: a request that ends has been aborted.
const { api, endpoint, asked, turns, start, respond, memoriesOf } = await startAgents({
  modelTimeoutSeconds: 120,
});

test.each([
  { of: "the platform", connect: async () => ({}) },
  {
    of: "one's own",
    connect: async (key: string) => ({ connectionId: await connectModel(api, key, endpoint.baseUrl) }),
  },
])(
  "cancels a run soon while a model of $of answers, closes its connection, and calls nothing more",
  async ({ connect }) => {
    const { key } = await createPayingKey(api, 500);
    const credits = async () => (await api.send("GET", "/v1/credits/balance", { key })).body.balance;
    const connection = await connect(key);
    const rest = Promise.withResolvers<void>();
    turns([{ ...put("Never"), text: ["Half an", rest.promise, " answer"] }, { text: "Another run's." }]);
    const { id } = (await start(key, { tools: [PUT], approveWrites: false }, connection)).body.run;
    await expect.poll(endpoint.underWay).toBe(1);
    expect((await credits()).reservedCredits).toBe(200);

    const clock = await startTakeoverClock(api.databaseUrl);
    expect((await api.send("POST", `/v1/runs/${id}/cancel`, { key, body: {} })).body.run.status).toBe(
      "cancelling",
    );
    const run = await runWith(api, key, id, "cancelled");
    await expect.poll(endpoint.underWay).toBe(0);
    expect(clock()).toBeLessThan(CANCEL_MS);
    expect(run).toMatchObject({ error: { code: "cancelled" }, chargedCredits: 0 });
    expect(await credits()).toMatchObject({ availableCredits: 500, reservedCredits: 0 });

    // The answer's rest has no effect; by the end of a later run, an earlier one would have gone on.
    rest.resolve();
    expect((await respond(key)).result.output).toBe("Another run's.");
    expect(asked).toHaveLength(2);
    expect(await memoriesOf(key)).toEqual([]);
  },
);
