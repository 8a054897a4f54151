import { expect, onTestFinished, test } from "vitest";
import { startApi } from "#server/testing/api.ts";
import { startTestCluster } from "#server/testing/cluster.ts";
import { startClock } from "#server/testing/cpu.ts";
import { type AdmissionRequest, BATCHES } from "./admission.ts";

const cluster = await startTestCluster();
const api = await startApi({ database: { url: cluster.url, drop: cluster.drop } });

/** The admission request of a call with an unknown key. */
const STRANGER: AdmissionRequest = {
  hash: "0".repeat(64),
  service: null,
  scope: "projects:read",
  selectors: ["projects.list"],
  exact: true,
  registeredAt: null,
  serviceRegisteredAt: null,
  project: null,
  endUser: null,
  metered: false,
};

const CROWD = 5_000;

test("has a bounded number of calls wait while the database is frozen, and refuses the rest at once", async () => {
  const { key } = await api.createRootKey();
  const list = () => api.send("GET", "/v1/projects", { key });
  expect((await list()).status).toBe(200);
  cluster.freeze();
  onTestFinished(cluster.thaw);
  const clock = startClock();
  const refused: unknown[] = [];
  const crowd = Array.from({ length: CROWD }, () =>
    api.platform.admit(STRANGER).catch((reason) => refused.push(reason)),
  );
  await Promise.resolve();
  expect(refused.length).toBe(CROWD - BATCHES.most);
  const answers = await Promise.all(Array.from({ length: 100 }, list));
  expect(
    new Set(
      answers.map(({ status, body: { error } }) =>
        [status, error.code, error.retryable, error.operationState].join(" "),
      ),
    ),
  ).toEqual(new Set(["503 service_unavailable true not_started"]));
  await Promise.all(crowd);
  expect(refused.length).toBe(CROWD);
  expect(clock()).toBeLessThan(5000);
  cluster.thaw();
  await expect.poll(async () => (await list()).status).toBe(200);
});
