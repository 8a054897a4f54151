import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sign } from "@octokit/webhooks-methods";
import { TOTP } from "otpauth";
import { afterAll, expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";
import { PASSWORD, signUpAndIn, trySignIn } from "#server/testing/console.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { deliver } from "#server/testing/inbound.ts";
import { createRun } from "#server/testing/runs.ts";
import { sendEvent } from "#server/testing/sent-events.ts";
import { runsOf, startTriggers, triggersDo } from "#server/testing/triggers.ts";

const api = await startApi();
const folder = mkdtempSync(join(tmpdir(), "secrets-reseal-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const { settings } = api.platform;
const oldKey = new Uint8Array(32).fill(1);
const newKey = new Uint8Array(32).fill(2);

/** Reseals as an operator does, beside the running platform. */
function reseal(keys: Uint8Array[]) {
  const SEALING_KEY = keys.map((key) => Buffer.from(key).toString("base64")).join(",");
  const env = { ...process.env, DATABASE_URL: api.databaseUrl, DATA_DIR: folder, BASE_URL: "", SEALING_KEY };
  const script = new URL("secrets-reseal.ts", import.meta.url).pathname;
  return new Promise<{ code: number; stdout: string; stderr: string }>((done) => {
    const child = execFile(process.execPath, [script], { env }, (_, stdout, stderr) =>
      done({ code: child.exitCode ?? -1, stdout, stderr }),
    );
  });
}

const GITHUB_SECRET = "It's a Secret to Everybody";
const CONNECTION = {
  label: "Orders",
  provider: "orders",
  authType: "bearer",
  secret: "upstream-secret-1",
  allowedHosts: ["api.example.com"],
};

test("sealed values open while SEALING_KEY is replaced, and afterwards with the new key alone", async () => {
  settings.sealingKeys = [oldKey];
  const ada = await signUpAndIn(api);
  const { secret } = (await ada.mutate("me.secondFactor.begin", { password: PASSWORD })).data;
  const { recoveryCodes } = (
    await ada.mutate("me.secondFactor.confirm", { code: new TOTP({ secret }).generate() })
  ).data;
  const { key } = await createPayingKey(api, 100, { privacyTier: "strict" });
  const queued = await createRun(api, key, { serviceId: "managed-memory", operationId: "export", input: {} });
  expect((await sendEvent(api, key, { name: "sealed", data: "secret" })).status).toBe(200);
  const headers = { authorization: "Bearer 5f2c" };
  const webhook = { url: "https://example.test/hook", events: ["*"], headers };
  expect((await api.send("POST", "/v1/webhooks", { key, body: webhook })).status).toBe(201);
  expect((await api.send("POST", "/v1/connections", { key, body: CONNECTION })).status).toBe(201);
  const github = { webhook: { scheme: "github", secret: GITHUB_SECRET } };
  const start = {
    serviceId: "managed-memory",
    operationId: "put",
    input: { content: "{% event.data.text %}" },
  };
  const asked = { name: "issues", on: github, start };
  const { on } = (await triggersDo(api, key, "put", asked)).trigger;
  const delivered = async (text: string) => {
    const body = JSON.stringify({ text });
    const signature = await sign(GITHUB_SECRET, body);
    return (await deliver(api, on.webhook.address, body, { "x-hub-signature-256": signature })).status;
  };
  expect(await delivered("before")).toBe(202);
  const signIn = (place: number) =>
    trySignIn(api, { email: ada.email, password: PASSWORD, code: recoveryCodes[place] });

  settings.sealingKeys = [newKey, oldKey];
  expect((await signIn(0)).error).toBeNull();
  const lost = await reseal([new Uint8Array(32).fill(3)]);
  expect(lost.code).toBe(1);
  expect(lost.stderr).toContain(
    "users.totp_secret: 1 can't be decrypted with any key of SEALING_KEY; their key numbers are 223.",
  );
  expect(await reseal([newKey, oldKey])).toEqual({
    code: 0,
    stderr: "",
    stdout:
      "users.totp_secret: 1 encrypted again with the newest key.\nwebhooks.secret: 1 encrypted again with the newest key.\nwebhooks.headers: 1 encrypted again with the newest key.\nconnections.secret: 1 encrypted again with the newest key.\ninbound_webhooks.secret: 1 encrypted again with the newest key.\ninbound_webhooks.token: 1 encrypted again with the newest key.\nruns.input: 1 encrypted again with the newest key.\nsent_events.data: 2 encrypted again with the newest key.\nsent_events.headers: 1 encrypted again with the newest key.\n",
  });

  settings.sealingKeys = [newKey];
  expect((await signIn(1)).error).toBeNull();
  const { run } = (await api.send("GET", `/v1/runs/${queued.body.run.id}`, { key })).body;
  expect(run.input).toEqual({});
  const { trigger } = await triggersDo(api, key, "get", { name: "issues" });
  expect(trigger.on).toEqual(on);
  expect(await delivered("after")).toBe(202);
  const worker = await startTriggers(api);
  await expect.poll(() => runsOf(api, key, trigger.id)).toHaveLength(2);
  await worker.stop();
  expect(await reseal([newKey])).toEqual({ code: 0, stderr: "", stdout: "" });
});

test("repeats, addresses and sessions of an older secret are valid while it is configured", async () => {
  const ada = await signUpAndIn(api);
  const { key } = await api.createRootKey();
  const create = (name: string) =>
    api.send("POST", "/v1/projects", { key, body: { name }, idempotencyKey: "rotated-secret-1" });
  const first = await create("Shop");
  const headers = { "x-file-name": "hello.txt" };
  const { file } = (await api.send("POST", "/v1/files", { key, headers, bytes: Buffer.from("hello") })).body;
  const download = async () => (await api.send("GET", new URL(file.downloadUrl).pathname)).status;
  const { authSecrets, fingerprintSecrets } = settings;

  settings.authSecrets = ["another", ...authSecrets];
  settings.fingerprintSecrets = ["another", ...fingerprintSecrets];
  const repeated = await create("Shop");
  expect(repeated.status).toBe(201);
  expect(repeated.headers.get("idempotent-replayed")).toBe("true");
  expect(repeated.body.project.id).toBe(first.body.project.id);
  expect((await create("Other")).body.error.code).toBe("idempotency_key_reused");
  expect((await ada.query("me.read")).status).toBe(200);
  expect(await download()).toBe(200);

  settings.authSecrets = ["another"];
  settings.fingerprintSecrets = ["another"];
  expect((await create("Shop")).body.error.code).toBe("idempotency_key_reused");
  expect((await ada.query("me.read")).status).toBe(401);
  expect(await download()).toBe(404);
  Object.assign(settings, { authSecrets, fingerprintSecrets });
});
