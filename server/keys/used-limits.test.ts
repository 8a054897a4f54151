import { expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";
import { signInMember, signUpAndIn } from "#server/testing/console.ts";

const api = await startApi();

test("reports the current usage of a key's limits, to callers that may manage it", async () => {
  const [ada, eve] = [await signUpAndIn(api), await signUpAndIn(api)];
  const limits = {
    "projects.list": { requestsPerMinute: 5 },
    "*": { maxConcurrent: 7, requestsPerMinute: 100 },
  };
  const { data } = await ada.mutate("apiKeys.create", {
    label: "Backend",
    scopes: ["projects:read"],
    limits,
  });
  const ids = data.apiKey.id;
  for (let call = 0; call < 2; call++) await api.send("GET", "/v1/projects", { key: data.secret });
  expect((await ada.query("apiKeys.limits.list", { ids: `${ids},nonsense` })).data.limits).toEqual([
    { keyId: ids, selector: "*", kind: "requestsPerMinute", value: 100, used: 2 },
    { keyId: ids, selector: "*", kind: "maxConcurrent", value: 7, used: 0 },
    { keyId: ids, selector: "projects.list", kind: "requestsPerMinute", value: 5, used: 2 },
  ]);
  expect((await eve.query("apiKeys.limits.list", { ids })).data.limits).toEqual([]);
  const viewer = await signInMember(api, ada.accountId, "viewer");
  expect((await viewer.query("apiKeys.limits.list", { ids })).status).toBe(403);
});
