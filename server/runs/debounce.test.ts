import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { startApi, unique } from "#server/testing/api.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { createRun, runWith, startRuns } from "#server/testing/runs.ts";
import { startServer } from "#server/testing/server-process.ts";

const api = await startApi();

/** Starts a worker until the test ends: before that, no run starts between two calls, however slow they are. */
async function startWorker() {
  const worker = await startRuns(api);
  onTestFinished(() => worker.stop());
}

const put = (content: string) => ({
  serviceId: "managed-memory",
  operationId: "put",
  input: { name: "debounced", content },
});
const runsOf = async (key: string) => (await api.send("GET", "/v1/runs?limit=100", { key })).body.runs;

test("starts one run for several calls, with the last one's input", async () => {
  const { key } = await createPayingKey(api, 100);
  const debounce = { key: "page", seconds: 2 };
  const first = await createRun(api, key, { ...put("1"), debounce, tags: ["one"] });
  const repeat = unique("call");
  const again = { ...put("2"), debounce, tags: ["two"], priority: 3 };
  const second = await createRun(api, key, again, { "idempotency-key": repeat });
  const last = await createRun(api, key, { ...put("3"), debounce, tags: ["three"], maxAttempts: 2 });
  const id = first.body.run.id;
  for (const { status, body } of [first, second, last])
    expect({ status, id: body.run.id, debounced: body.debounced }).toEqual({
      status: 202,
      id,
      debounced: true,
    });
  const replayed = await createRun(api, key, again, { "idempotency-key": repeat });
  expect(replayed.body).toEqual(second.body);
  expect(second.body.run).toMatchObject({ input: put("2").input, priority: 3, tags: ["two"] });
  await startWorker();
  const run = await runWith(api, key, id, "succeeded");
  expect(run).toMatchObject({ input: put("3").input, priority: 0, tags: ["three"], maxAttempts: 2 });
  expect(Date.parse(run.startedAt)).toBeGreaterThanOrEqual(Date.parse(last.body.run.startsAt));
  expect(await runsOf(key)).toHaveLength(1);
  expect((await api.send("GET", "/v1/runs?tag=one", { key })).body.runs).toEqual([]);
  const after = await createRun(api, key, { ...put("4"), debounce });
  expect(after.body.run.id).not.toBe(id);
});

test("starts at the latest after maxSeconds, though calls keep coming", async () => {
  const { key } = await createPayingKey(api, 100);
  const debounce = { key: "page", seconds: 3600, maxSeconds: 3600 };
  const first = await createRun(api, key, { ...put("1"), debounce });
  const second = await createRun(api, key, { ...put("2"), debounce });
  expect(second.body.run.startsAt).toBe(first.body.run.startsAt);
  const soon = await createRun(api, key, { ...put("3"), debounce: { key: "page", seconds: 1 } });
  await startWorker();
  await runWith(api, key, soon.body.run.id, "succeeded");
});

test("keeps calls apart by key, operation, project and end user, and says so of others", async () => {
  const { key } = await createPayingKey(api, 100);
  const debounce = { key: "page", seconds: 3600 };
  const calls = [
    createRun(api, key, { ...put("1"), debounce }),
    createRun(api, key, { ...put("1"), debounce: { ...debounce, key: "other" } }),
    createRun(api, key, { ...put("1"), debounce }, { "X-Service-End-User": "ada" }),
    createRun(api, key, { serviceId: "managed-memory", operationId: "export", input: {}, debounce }),
  ];
  const ids = (await Promise.all(calls)).map(({ body }) => body.run.id);
  expect(new Set(ids).size).toBe(4);
  expect((await createRun(api, key, put("2"))).body.debounced).toBe(false);
  const cancelled = await api.send("POST", `/v1/runs/${ids[0]}/cancel`, { key, body: {} });
  expect(cancelled.body.run.status).toBe("cancelled");
  expect((await createRun(api, key, { ...put("3"), debounce })).body.run.id).not.toBe(ids[0]);
});

test("runs as the last caller, with that caller's access", async () => {
  const { key: root } = await createPayingKey(api, 100);
  const { key, apiKey } = await api.createChild(root);
  const debounce = { key: "page", seconds: 1 };
  const first = await createRun(api, root, { ...put("1"), debounce });
  await createRun(api, key, { ...put("2"), debounce });
  await api.send("DELETE", `/v1/api-keys/${apiKey.id}`, { key: root });
  await startWorker();
  expect((await runWith(api, root, first.body.run.id, "failed")).error.code).toBe("api_key_revoked");
});

test("refuses it together with startAt, and less than a second of quiet", async () => {
  const { key } = await createPayingKey(api, 100);
  const startAt = new Date(Date.now() + 60_000).toISOString();
  const bad = [
    { startAt, debounce: { key: "a", seconds: 1 } },
    { debounce: { key: "a", seconds: 0 } },
    { debounce: { key: "a", seconds: 60, maxSeconds: 30 } },
  ];
  for (const more of bad) expect((await createRun(api, key, { ...put("1"), ...more })).status).toBe(400);
});

test("makes one run of calls to two processes at once, and loses none of one that is killed", async () => {
  const { key } = await createPayingKey(api, 1000);
  const processes = await Promise.all([startServer(api.databaseUrl), startServer(api.databaseUrl)]);
  const [killed, other] = processes;
  const debounce = { key: "page", seconds: 1 };
  const calls = [...Array(20).keys()].map((nth) => ({
    nth,
    idempotencyKey: unique("call"),
    body: { ...put(String(nth)), debounce },
  }));
  const send = ({ origin }: { origin: string }, { body, idempotencyKey }: (typeof calls)[number]) =>
    fetch(`${origin}/v1/runs`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
        "idempotency-key": idempotencyKey,
      },
      body: JSON.stringify(body),
    }).then(async (response) => ({ status: response.status, body: await response.json() }));
  const answers = calls.map((call) => send(call.nth % 2 ? killed : other, call).catch(() => null));
  await Promise.any(answers.filter((_, nth) => nth % 2));
  killed.child.kill("SIGKILL");
  await once(killed.child, "exit");
  await Promise.all(answers);
  // A caller without a response repeats the call under the same key.
  const all = [];
  for (const call of calls) {
    let answer = await send(other, call);
    while (answer.status !== 202) answer = await send(other, call);
    all.push(answer.body.run.id);
  }
  expect(new Set(all).size).toBe(1);
  await startWorker();
  await runWith(api, key, all[0], "succeeded");
  expect(await runsOf(key)).toHaveLength(1);
});
