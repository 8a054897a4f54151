import { afterAll, expect, test } from "vitest";
import { defined } from "#server/base/defined.ts";
import { startApi } from "#server/testing/api.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { play, startRuns } from "#server/testing/runs.ts";
import { scriptedService } from "#server/testing/scripted-runs.ts";

const api = await startApi({ settings: { services: [scriptedService()] } });
const worker = await startRuns(api);
afterAll(() => worker.stop());

test("ends a run whose timeline is full, with all that it has done in it", async () => {
  const { key } = await createPayingKey(api, 100);
  const actions = Array.from({ length: 10_050 }, (_, nth) => ({ do: "note", name: `${nth}` }));
  await play(api, key, actions);
  // The complete run is large by then, so it is read only once, when it has ended.
  const failed = async () => (await api.send("GET", "/v1/runs?status=failed", { key })).body.runs;
  await expect.poll(async () => (await failed()).length, { interval: 500, timeout: 300_000 }).toBe(1);
  const [run] = await failed();
  expect(run.error).toMatchObject({ code: "timeline_limit_exceeded", step: null });
  expect(run.timeline).toHaveLength(10_001);
  expect(run.timeline.at(-1)).toMatchObject({ type: "state", data: { status: "failed" } });
  expect(run.timeline.at(-1).data.finishedSteps).toHaveLength(9998);
  const { balance } = (await api.send("GET", "/v1/credits/balance", { key })).body;
  expect(balance).toMatchObject({ availableCredits: 100, reservedCredits: 0 });
});

test("adds nothing to a timeline while a limit stays exhausted, and less and less to the audit", async () => {
  const { key: root } = await createPayingKey(api, 100);
  const { key, apiKey } = await api.createChild(root, { limits: { "runs.create": { maxConcurrent: 1 } } });
  const another = { serviceId: "scripted", operationId: "play", input: { actions: [] } };
  // The run itself is the only live one that its key may have.
  const id = await play(api, key, [
    { do: "call", name: "another", operationId: "runs.create", body: another },
  ]);
  const refusals = `/v1/audit-events?operation=runs.create&status=429&keyId=${apiKey.id}`;
  const refusedAt = async (): Promise<number[]> =>
    (await api.send("GET", refusals, { key: root })).body.auditEvents.map(({ at }: { at: string }) =>
      Date.parse(at),
    );
  const lasted = async () => {
    const times = await refusedAt();
    return defined(times[0]) - defined(times.at(-1));
  };
  // A call that has waited for twenty seconds is repeated after two more.
  await expect.poll(async () => (await refusedAt()).length).toBeGreaterThan(2);
  await expect.poll(lasted).toBeGreaterThan(22_000);
  const [last = 0, before = 0] = await refusedAt();
  expect(last - before).toBeGreaterThan(1900);
  const { run } = (await api.send("GET", `/v1/runs/${id}`, { key: root })).body;
  const entries = run.timeline.filter(({ step }: { step: string | null }) => step === "another");
  expect(entries.map(({ data }: { data: { status: string } }) => data.status)).toEqual(["sent", "waiting"]);
  await api.send("POST", `/v1/runs/${id}/cancel`, { key: root, body: {} });
});
