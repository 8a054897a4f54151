import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { eventsKept, listen } from "#server/testing/events.ts";
import { startPeer } from "#server/testing/peer.ts";
import { createEffects, play, runWith, startRuns, startWorkerProcess } from "#server/testing/runs.ts";
import { scriptedService } from "#server/testing/scripted-runs.ts";

const folder = mkdtempSync(join(tmpdir(), "runs-killed-blobs-"));
const api = await startApi({ settings: { blobs: { folder }, services: [scriptedService()] } });
await createEffects(api);
const { db } = api.platform.database;
const peer = await startPeer(() => ({}));

const JOURNEY = [
  { do: "charge", credits: 2 },
  { do: "step", name: "ours" },
  { do: "send", name: "theirs", url: peer.origin, repeatable: true },
  { do: "wait", name: "pause", seconds: 0.2 },
  { do: "call", name: "project", operationId: "projects.create", body: { name: "Made by a run" } },
  { do: "artifact", name: "report", content: "words" },
];
const BOUNDARIES = [
  "before ours",
  "within ours",
  "after ours",
  "sent theirs",
  "within theirs",
  "after pause",
  "at the end",
];

interface Entry {
  seq: number;
  type: string;
  step: string | null;
  data: { status: string } | null;
}

test("executes everything once, whichever boundary of a run its worker is killed at", async () => {
  const { key, accountId } = await createPayingKey(api, 1000);
  await listen(api, accountId);
  const children = await Promise.all(BOUNDARIES.map(() => startWorkerProcess(api, folder)));
  const ended = Promise.all(children.map((child) => once(child, "exit")));
  const ids = await Promise.all(BOUNDARIES.map((killAt) => play(api, key, JOURNEY, {}, killAt)));
  expect((await ended).map(([, signal]) => signal)).toEqual(BOUNDARIES.map(() => "SIGKILL"));

  const worker = await startRuns(api);
  for (const id of ids) {
    const run = await runWith(api, key, id, "succeeded");
    expect(run.chargedCredits).toBe(2);
    expect(run.artifactIds).toHaveLength(1);
    const timeline: Entry[] = run.timeline;
    expect(timeline.map(({ seq }) => seq)).toEqual(timeline.map((_, nth) => nth + 1));
    const finished = timeline.filter(({ type, data }) => type === "step" && data?.status === "succeeded");
    expect(finished.map(({ step }) => step)).toEqual(["ours", "theirs", "pause", "project", "report"]);
  }
  const effects = await db.execute(sql`select run from effects order by run`);
  expect(effects.map(({ run }) => run)).toEqual(ids.toSorted());
  const keys = peer.received.map(({ headers }) => headers["idempotency-key"]);
  expect([...new Set(keys)].toSorted()).toEqual(ids.map((id) => `${id}:theirs`).toSorted());
  const { projects } = (await api.send("GET", "/v1/projects?limit=100", { key })).body;
  expect(projects).toHaveLength(BOUNDARIES.length);
  const { artifacts } = (await api.send("GET", "/v1/artifacts?limit=100", { key })).body;
  expect(artifacts).toHaveLength(BOUNDARIES.length);
  const { balance } = (await api.send("GET", "/v1/credits/balance", { key })).body;
  expect(balance).toMatchObject({ availableCredits: 1000 - 2 * BOUNDARIES.length, reservedCredits: 0 });

  // Events are emitted four times a second.
  await expect
    .poll(async () => (await eventsKept(api, accountId)).filter(({ type }) => type === "run.succeeded"))
    .toHaveLength(BOUNDARIES.length);
  const events = (await eventsKept(api, accountId)).filter(({ type }) => type.startsWith("run."));
  const timelineOf = (id: string) =>
    events.filter(({ data }) => data.run?.id === id).map(({ type, sequence }) => [type, sequence]);
  expect(ids.map(timelineOf)).toEqual(
    ids.map(() => [
      ["run.queued", 1],
      ["run.running", 2],
      ["run.succeeded", 3],
    ]),
  );
  await worker.stop();
});

test("sends a non-repeatable request once, and fails with service_timeout if its response was lost", async () => {
  const { key } = await createPayingKey(api, 100);
  const child = await startWorkerProcess(api, folder);
  const before = peer.received.length;
  const actions = [{ do: "send", name: "payment", url: peer.origin, repeatable: false }];
  const id = await play(api, key, actions, { maxAttempts: 3 }, "within payment");
  await once(child, "exit");
  const worker = await startRuns(api);
  const run = await runWith(api, key, id, "failed");
  expect(run.error).toMatchObject({ code: "service_timeout", step: "payment" });
  expect(run.chargedCredits).toBe(0);
  expect(peer.received).toHaveLength(before + 1);
  await worker.stop();
});
