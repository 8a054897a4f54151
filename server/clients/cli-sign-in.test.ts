import { chmodSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { installCli } from "#server/testing/cli.ts";
import { signUpAndIn } from "#server/testing/console.ts";
import { startHostile } from "#server/testing/hostile-peer.ts";
import { CHOICE, startOAuthApi } from "#server/testing/oauth.ts";

const api = await startOAuthApi({ oauth: { registration: true, documents: true, pollSeconds: 1 } });
const person = await signUpAndIn(api);
const cli = await installCli(api.origin);
type Computer = ReturnType<typeof cli.computer>;

const codeIn = (text: string) => /enter ([A-Z]{4}-[A-Z]{4}) at/.exec(text)?.[1];

/** Starts a sign-in; returns the request that the person finds by the shown code. */
async function beginLogin({ start }: Computer, ...args: string[]) {
  const { ran, ended } = start(["login", "--base-url", api.origin, "--no-browser", ...args]);
  await expect.poll(() => codeIn(ran.stderr)).toBeDefined();
  const { data } = await person.mutate("apps.devices.read", { userCode: codeIn(ran.stderr) });
  return { request: data.request, ended };
}

async function signedIn(computer: Computer, choice: Record<string, unknown> = {}) {
  const { request, ended } = await beginLogin(computer);
  await person.mutate("apps.allow", { requestId: request.id, ...CHOICE, ...choice });
  expect((await ended).code).toBe(0);
  return stored(computer);
}

const stored = ({ credentials }: Computer): Record<string, string> =>
  JSON.parse(readFileSync(credentials, "utf8")).profiles.default;

/** Changes the stored sign-in, for example to one that is an hour old; the person may edit this file. */
function age({ credentials }: Computer, changed: Record<string, string>) {
  const { profiles } = JSON.parse(readFileSync(credentials, "utf8"));
  writeFileSync(credentials, JSON.stringify({ profiles: { default: { ...profiles.default, ...changed } } }));
}

test("signs in by a browser, stores the tokens readable by its person only, and revokes them", async () => {
  const computer = cli.computer();
  const { request, ended } = await beginLogin(computer, "--scope", "projects:write");
  expect(request).toMatchObject({ app: { id: "cli" }, userAgent: expect.stringMatching(/^msp \(/) });
  const scopes = ["projects:read", "projects:write"];
  await person.mutate("apps.allow", { requestId: request.id, ...CHOICE, scopes });
  const { code, stdout } = await ended;
  expect([code, JSON.parse(stdout).account.id]).toEqual([0, person.accountId]);
  expect(statSync(computer.credentials).mode & 0o777).toBe(0o600);
  const { accessToken } = stored(computer);
  expect(stdout).not.toContain(accessToken);
  expect((await computer.json("projects", "create", "--name", "By hand")).name).toBe("By hand");
  const { apiKey } = await computer.json("whoami");
  expect(apiKey).toMatchObject({ app: { id: "cli" }, scopes: ["services:read", ...scopes] });
  const refused = await computer.run(["files", "list"]);
  expect([refused.code, refused.stderr]).toEqual([4, expect.stringContaining("msp login --scope")]);
  expect((await computer.run(["logout"])).code).toBe(0);
  expect((await computer.run(["whoami"])).code).toBe(3);
  const late = await api.send("GET", "/v1/projects", { key: accessToken as string });
  expect(late.body.error.code).toBe("api_key_revoked");
});

test("names the keys that end with the sign-in that has made them", async () => {
  const computer = cli.computer();
  await signedIn(computer, { scopes: ["api_keys:manage", "projects:read"] });
  const made = await computer.run(["keys", "create", "--label", "Night jobs", "--scopes", "projects:read"]);
  const ended = await computer.run(["logout"]);
  expect([ended.code, ended.stderr]).toEqual([0, expect.stringContaining("made with it: Night jobs")]);
  const late = await api.send("GET", "/v1/projects", { key: made.stdout.trim() });
  expect(late.body.error.code).toBe("ancestor_revoked");
});

test("says that its person has refused", async () => {
  const computer = cli.computer();
  const { request, ended } = await beginLogin(computer);
  await person.mutate("apps.refuse", { requestId: request.id });
  expect(await ended).toMatchObject({ code: 3, stderr: expect.stringContaining("You have refused.") });
});

test("refreshes a token once, however many processes need it at once", async () => {
  const computer = cli.computer();
  const before = await signedIn(computer, { scopes: ["projects:read", "projects:write"] });
  age(computer, { expiresAt: new Date(0).toISOString() });
  const several = await Promise.all([1, 2, 3, 4].map(() => computer.run(["projects", "list"])));
  expect(several.map(({ code, stderr }) => [code, stderr])).toEqual(Array(4).fill([0, ""]));
  const after = stored(computer);
  expect(after.refreshToken).not.toBe(before.refreshToken);
  expect(statSync(computer.credentials).mode & 0o777).toBe(0o600);
  // The lock of a process that was killed during a refresh a minute ago.
  writeFileSync(`${computer.credentials}.lock`, "");
  utimesSync(`${computer.credentials}.lock`, Date.now() / 1000 - 60, Date.now() / 1000 - 60);
  age(computer, { expiresAt: new Date(0).toISOString() });
  expect((await computer.run(["projects", "list"])).code).toBe(0);
  // A token that is refused before its expiry is replaced too, and the call is repeated.
  age(computer, { accessToken: before.refreshToken as string });
  const [one, two] = await Promise.all([
    computer.run(["projects", "create", "--name", "After a refresh"]),
    computer.run(["whoami"]),
  ]);
  expect([one.code, two.code], one.stderr + two.stderr).toEqual([0, 0]);
  chmodSync(computer.credentials, 0o644);
  const doctor = await computer.run(["doctor", "-o", "table"]);
  expect([doctor.code, doctor.stdout]).toEqual([
    1,
    expect.stringContaining(`chmod 600 ${computer.credentials}`),
  ]);
});

test("reports a revoked sign-in, and keeps the sign-in while the platform is only unavailable", async () => {
  const computer = cli.computer();
  await signedIn(computer);
  const away = cli.computer();
  await signedIn(away);
  age(away, { baseUrl: "http://127.0.0.1:1", expiresAt: new Date(0).toISOString() });
  const unreachable = await away.run(["projects", "list"]);
  expect([unreachable.code, unreachable.stderr]).toEqual([1, expect.stringContaining("No answer from")]);
  expect(stored(away).refreshToken).toBeDefined();
  const { data } = await person.query("apps.list", {});
  for (const { id } of data.apps) await person.mutate("apps.revoke", { id });
  const revoked = await computer.run(["projects", "list"]);
  expect([revoked.code, revoked.stderr]).toEqual([3, expect.stringContaining("msp login")]);
});

test("sends a sign-in's tokens only to its own installation", async () => {
  const computer = cli.computer();
  await signedIn(computer);
  const other = await startHostile((socket) => socket.end("HTTP/1.1 200 OK\r\n\r\n{}"));
  const elsewhere = await computer.run(["projects", "list", "--base-url", other.url]);
  expect([elsewhere.code, other.requests()]).toEqual([3, 0]);
  const { key } = await api.createRootKey();
  const more = { PLATFORM_API_KEY: key, PLATFORM_URL: api.origin };
  const byKey = await computer.run(["whoami"], { more });
  expect(JSON.parse(byKey.stdout)).toMatchObject({ source: "PLATFORM_API_KEY", apiKey: { label: "Root" } });
  const fake = await computer.run(["login", "--base-url", other.url]);
  expect(fake.code).toBe(2);
});
