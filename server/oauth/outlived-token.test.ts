import { afterAll, expect, test } from "vitest";
import { signInMember, signUpAndIn } from "#server/testing/console.ts";
import { connectApp, postForm, startOAuthApi } from "#server/testing/oauth.ts";
import { createRun, runWith, startRuns } from "#server/testing/runs.ts";
import { AuthenticationError, Platform } from "../../clients/typescript/src/index.ts";

const api = await startOAuthApi({ streams: { heartbeatMs: 200 } });
const worker = await startRuns(api);
afterAll(() => worker.stop());
const person = await signUpAndIn(api);
const approver = await signInMember(api, person.accountId, "approver");

const WORKFLOW = {
  name: "Welcome",
  steps: [
    { id: "ask", type: "approval", summary: "Keep it?" },
    {
      id: "keep",
      type: "invoke",
      serviceId: "managed-memory",
      operationId: "put",
      input: { content: "Hello." },
    },
  ],
  output: "{% steps.keep.memory.content %}",
};

/** Returns an app whose run waits for an approval, and the approver. */
async function startWaitingRun() {
  const app = await connectApp(api, { resource: "/v1", scope: "services:invoke runs:read runs:write" });
  const scopes = ["services:invoke", "runs:read", "runs:write"];
  const tokens = await app.redeem(await app.allow(person, { scopes }));
  const key = tokens.access_token;
  const made = await createRun(api, key, {
    serviceId: "managed-workflows",
    operationId: "execute",
    input: { workflow: WORKFLOW },
  });
  const runId = made.body.run.id;
  const { timeline } = await runWith(api, key, runId, "awaiting_approval");
  const { approvalId } = timeline.find(({ step }: { step: string }) => step === "steps.ask").data;

  async function approve() {
    const { data } = await approver.query("approvals.read", { approvalId });
    const { payloadHash } = data.approval;
    const decided = await approver.mutate("approvals.decide", {
      approvalId,
      decision: "approve",
      payloadHash,
    });
    expect(decided.status).toBe(200);
  }
  return { app, tokens, key, runId, approve };
}

test("a run continues after the access token that started it has ended, and can be read with the next one", async () => {
  const { app, tokens, key, runId, approve } = await startWaitingRun();
  // As if the token had expired.
  await postForm(api, "/oauth/revoke", { token: key, client_id: app.client.client_id });
  expect((await api.send("GET", `/v1/runs/${runId}`, { key })).status).toBe(401);
  await approve();
  const next = await app.refresh(tokens.refresh_token as string);
  const run = await runWith(api, next.access_token, runId, "succeeded");
  expect(run.result).toEqual({ output: "Hello." });
});

test("the SDK goes on following a run with the next access token", async () => {
  const { app, tokens, key, runId, approve } = await startWaitingRun();
  let token = key;
  const platform = new Platform({ baseUrl: api.origin, apiKey: () => token });
  const entries = platform.runs.follow(runId);
  const seen = [(await entries.next()).value];
  token = (await app.refresh(tokens.refresh_token as string)).access_token;
  // As if the token had expired.
  await postForm(api, "/oauth/revoke", { token: key, client_id: app.client.client_id });
  await expect.poll(() => api.platform.streams.open).toBe(0);
  await approve();
  let next = await entries.next();
  for (; !next.done; next = await entries.next()) seen.push(next.value);
  expect(next.value.status).toBe("succeeded");
  expect(seen).toEqual(next.value.timeline);
});

test("the SDK ends a stream when there is no other access token", async () => {
  const { app, key, runId } = await startWaitingRun();
  let revoked = false;
  const signedOut = () => {
    if (revoked) throw new Error("Signed out.");
    return key;
  };
  const streams = [key, signedOut].map((apiKey) =>
    new Platform({ baseUrl: api.origin, apiKey }).runs.follow(runId),
  );
  await Promise.all(streams.map((entries) => entries.next()));
  revoked = true;
  await postForm(api, "/oauth/revoke", { token: key, client_id: app.client.client_id });
  const [refused, thrown] = await Promise.all(
    streams
      .map(async (entries) => {
        while (!(await entries.next()).done);
      })
      .map((reading) => reading.catch((error) => error)),
  );
  expect(refused).toBeInstanceOf(AuthenticationError);
  expect(thrown).toMatchObject({ message: "Signed out." });
});

test("a run ends with the access that it was started with, as with a key", async () => {
  const { app, tokens, runId, approve } = await startWaitingRun();
  const { data } = await person.query("apps.list");
  const { id } = data.apps.find((one: { app: { id: string } }) => one.app.id === app.client.client_id);
  expect((await person.mutate("apps.revoke", { id })).status).toBe(200);
  await approve();
  await expect.poll(async () => (await person.query("runs.read", { runId })).data.run.status).toBe("failed");
  const { run } = (await person.query("runs.read", { runId })).data;
  expect([run.error.code, run.chargedCredits]).toEqual(["api_key_revoked", 0]);
  await expect(app.refresh(tokens.refresh_token as string)).rejects.toMatchObject({ error: "invalid_grant" });
});
