import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type Answered, startApi } from "#server/testing/api.ts";
import { createPayingKey, grantTo } from "#server/testing/credits.ts";
import { createRun, runWith, startWorkerProcess } from "#server/testing/runs.ts";

const api = await startApi();
const BOUNDARIES = ["chosen", "held", "begun", "released"];
const CREDITS = 1000;
const PAGES = ["a", "b", "c", "d", "e", "f"];

const startWorker = async (...options: string[]) => {
  const worker = await startWorkerProcess(api, join(tmpdir(), "delayed-blobs"), 2, ...options);
  onTestFinished(() => void worker.kill("SIGKILL"));
  return worker;
};

/** Returns whether the system reports a process as stopped. */
const isStopped = ({ pid }: ChildProcess) =>
  readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.startsWith("T");

test("starts a run that is put off while its start is refused no sooner than that says", async () => {
  const { key, accountId } = await api.createRootKey();
  const put = (content: string, more: object) => ({
    serviceId: "managed-memory",
    operationId: "put",
    input: { content },
    ...more,
  });
  const frozen = await startWorker("--freeze-at", "refused");
  const page = { key: "page", seconds: 1 };
  const first = await createRun(api, key, put("1", { debounce: page }));
  await expect.poll(() => isStopped(frozen)).toBe(true);
  const later = await createRun(api, key, put("2", { debounce: { ...page, seconds: 3600 } }));
  expect(later.body.run.id).toBe(first.body.run.id);
  await grantTo(api, accountId, 10);
  frozen.kill("SIGCONT");
  // When this one starts, all runs that are due five seconds after the refusal have started.
  const startAt = new Date(Date.now() + 8000).toISOString();
  const beside = await createRun(api, key, put("3", { startAt }));
  await runWith(api, key, beside.body.run.id, "succeeded");
  const { body } = await api.send("GET", `/v1/runs/${first.body.run.id}`, { key });
  expect(body.run).toMatchObject({ status: "queued", startsAt: later.body.run.startsAt });
});

test("starts each debounced run once, with the last call's input, wherever workers are killed", async () => {
  const { key } = await createPayingKey(api, CREDITS);
  /** Each page's calls are distinguishable, and so are their effects: a memory without a name is a new one. */
  const send = async (page: string, nth: number): Promise<Answered["body"]> => {
    const { body } = await createRun(api, key, {
      serviceId: "managed-memory",
      operationId: "put",
      input: { content: `${page} ${nth}` },
      debounce: { key: page, seconds: 1 },
    });
    return body.run;
  };
  const workers = await Promise.all(BOUNDARIES.map((boundary) => startWorker("--kill-at", boundary)));
  const ended = Promise.all(workers.map((worker) => once(worker, "exit")));
  const answers: Answered["body"][] = [];
  for (const nth of [1, 2, 3]) answers.push(...(await Promise.all(PAGES.map((page) => send(page, nth)))));
  expect((await ended).map(([, signal]) => signal)).toEqual(BOUNDARIES.map(() => "SIGKILL"));
  // Runs that none of them has released are still delayed, and further calls change them.
  answers.push(...(await Promise.all(PAGES.map((page) => send(page, 4)))));
  await Promise.all([startWorker(), startWorker()]);

  const last = new Map(answers.map((run) => [run.id, run.input]));
  const runs = await Promise.all([...last.keys()].map((id) => runWith(api, key, id, "succeeded")));
  expect(runs.map(({ input }) => input)).toEqual([...last.values()]);
  const listed = await api.send("GET", "/v1/runs?limit=100", { key });
  expect(listed.body.runs).toHaveLength(last.size);
  const { balance } = (await api.send("GET", "/v1/credits/balance", { key })).body;
  expect(balance).toMatchObject({ availableCredits: CREDITS - last.size, reservedCredits: 0 });
  const body = { operationId: "list", input: { limit: 100 } };
  const kept = (await api.send("POST", "/v1/services/managed-memory/invoke", { key, body })).body.result;
  expect(kept.memories.map(({ content }: { content: string }) => content).toSorted()).toEqual(
    [...last.values()].map(({ content }) => content).toSorted(),
  );
});
