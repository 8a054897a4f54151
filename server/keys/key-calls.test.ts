import { expect, test } from "vitest";
import { sealBatch } from "#server/audit/seal-events.ts";
import { startApi } from "#server/testing/api.ts";
import { signInMember, signUpAndIn } from "#server/testing/console.ts";

const api = await startApi();
const seal = () => sealBatch(api.platform.database.client);

test("counts a key's own requests of a day, chained or not, for callers that may manage it", async () => {
  const [ada, eve] = [await signUpAndIn(api), await signUpAndIn(api)];
  const make = async (label: string, limits = {}) =>
    (await ada.mutate("apiKeys.create", { label, scopes: ["projects:read"], limits })).data;
  const backend = await make("Backend", { "projects.list": { requestsPerMinute: 2 } });
  const idle = await make("Idle");
  const ids = `${backend.apiKey.id},${idle.apiKey.id},nonsense`;
  const statuses: number[] = [];
  const call = async (path: string) => {
    statuses.push((await api.send("GET", path, { key: backend.secret })).status);
  };
  const counts = async () => (await ada.query("apiKeys.calls.list", { ids })).data.calls;

  await call("/v1/projects");
  await call("/v1/files");
  const counted = [{ keyId: backend.apiKey.id, requests: 2, errors: 1, limited: 0 }];
  expect(await counts()).toEqual(counted);
  await seal();
  expect(await counts()).toEqual(counted);
  await call("/v1/projects");
  await call("/v1/projects");
  expect(statuses).toEqual([200, 403, 200, 429]);
  expect(await counts()).toEqual([{ keyId: backend.apiKey.id, requests: 4, errors: 1, limited: 1 }]);

  expect((await eve.query("apiKeys.calls.list", { ids })).data.calls).toEqual([]);
  const viewer = await signInMember(api, ada.accountId, "viewer");
  expect((await viewer.query("apiKeys.calls.list", { ids })).status).toBe(403);
});
