import { expect, test } from "vitest";
import { defined } from "#server/base/defined.ts";
import { unique } from "#server/testing/api.ts";
import { stopClock } from "#server/testing/clock.ts";
import { signUpAndIn } from "#server/testing/console.ts";
import { CHOICE, connectApp, startOAuthApi } from "#server/testing/oauth.ts";

const [SECOND, MINUTE, DAY] = [1000, 60_000, 86_400_000];
const INVALID = { error: "invalid_grant" };

const api = await startOAuthApi();
const person = await signUpAndIn(api);

/** Executes `act` with the server's clock at another time. The database's own clock is always right. */
async function at<Result>(time: number, act: () => Promise<Result>): Promise<Result> {
  return act().finally(stopClock(time));
}

/** Executes `act` now; returns its result with the times right before and after it. */
async function timed<Result>(act: () => Promise<Result>) {
  const before = Date.now();
  const result = await act();
  return { before, result, after: Date.now() };
}

async function connect() {
  const app = await connectApp(api, { resource: "/v1" });
  const { before, result, after } = await timed(async () => app.redeem(await app.allow(person)));
  return { app, before, after, tokens: result, refreshToken: defined(result.refresh_token) };
}

/** Returns tokens issued to an app so many minutes ago. Their key is new. */
async function issueBefore(minutes: number) {
  const { app, refreshToken } = await connect();
  const tokens = await at(Date.now() - minutes * MINUTE, () => app.refresh(refreshToken));
  return { ...tokens, refresh: () => app.refresh(defined(tokens.refresh_token)) };
}

const read = (key: string) => api.send("GET", "/v1/projects", { key });

test("a code is good for a minute", async () => {
  const app = await connectApp(api, { resource: "/v1" });
  const prompt = await timed(() => app.allow(person));
  const tokens = await at(prompt.before + MINUTE, () => app.redeem(prompt.result));
  expect((await read(tokens.access_token)).status).toBe(200);
  const late = await timed(() => app.allow(person));
  await expect(at(late.after + MINUTE + 1, () => app.redeem(late.result))).rejects.toMatchObject({
    ...INVALID,
    error_description: "The code has expired.",
  });
  await expect(app.redeem(late.result)).rejects.toMatchObject(INVALID);
});

test("a request for access waits half an hour for its person", async () => {
  const app = await connectApp(api);
  const askedBefore = async (ms: number) => {
    const address = await at(Date.now() - ms, () => app.ask());
    const requestId = address.searchParams.get("request");
    const { data } = await person.query("apps.requests.read", { requestId });
    const { status } = await person.mutate("apps.allow", { requestId, ...CHOICE });
    return [data.request.status, status];
  };
  expect(await askedBefore(25 * MINUTE)).toEqual(["open", 200]);
  expect(await askedBefore(30 * MINUTE)).toEqual(["expired", 409]);
});

test("an access token is good for an hour, and a refresh token gives the next", async () => {
  const young = await issueBefore(50);
  expect([young.expires_in, (await read(young.access_token)).status]).toEqual([3600, 200]);
  const old = await issueBefore(60);
  const refused = await read(old.access_token);
  expect([refused.status, refused.body.error.code]).toEqual([401, "unauthenticated"]);
  expect(refused.headers.get("www-authenticate")).toContain('Bearer error="invalid_token"');
  const next = await old.refresh();
  expect((await read(next.access_token)).status).toBe(200);
});

test("a refresh token is good for thirty days unused, and none outlives the access", async () => {
  const unused = await connect();
  await expect(
    at(unused.after + 30 * DAY, () => unused.app.refresh(unused.refreshToken)),
  ).rejects.toMatchObject(INVALID);
  const { app, before, after, refreshToken } = await connect();
  let latest = refreshToken;
  const refreshAt = async (time: number) => {
    const tokens = await at(time, () => app.refresh(latest));
    latest = defined(tokens.refresh_token);
    return tokens.expires_in;
  };
  for (const days of [29, 58, 87]) expect(await refreshAt(before + days * DAY)).toBe(3600);
  expect(await refreshAt(before + 90 * DAY - 10 * MINUTE)).toBeLessThanOrEqual(
    600 + (after - before) / SECOND,
  );
  await expect(refreshAt(after + 90 * DAY)).rejects.toMatchObject({
    ...INVALID,
    error_description: "The access has ended.",
  });
});

test("the refresh token before is taken for two minutes, and ends the access after them", async () => {
  const { app, refreshToken } = await connect();
  const { before, result, after } = await timed(() => app.refresh(refreshToken));
  const again = await at(before + 2 * MINUTE, () => app.refresh(refreshToken));
  for (const { access_token } of [result, again]) expect((await read(access_token)).status).toBe(200);
  await expect(at(after + 2 * MINUTE + 1, () => app.refresh(refreshToken))).rejects.toMatchObject({
    ...INVALID,
    error_description: "The refresh token was used before; the access has ended.",
  });
  for (const { access_token } of [result, again])
    expect((await read(access_token)).body.error.code).toBe("api_key_revoked");
});

/** Makes a call that needs a scope which the app lacks and its person could grant. */
async function challenge(key: string) {
  const body = { name: unique("Shop") };
  const { status, headers } = await api.send("POST", "/v1/projects", { key, body });
  expect([status, headers.get("www-authenticate")]).toEqual([
    403,
    expect.stringContaining("insufficient_scope"),
  ]);
}

test("a refresh in the minute after a challenge is refused, and neither rotates nor ends anything", async () => {
  const { app, tokens, refreshToken } = await connect();
  const { before, after } = await timed(() => challenge(tokens.access_token));
  await expect(at(before + MINUTE, () => app.refresh(refreshToken))).rejects.toMatchObject(INVALID);
  expect((await read(tokens.access_token)).status).toBe(200);
  const next = await at(after + MINUTE + 1, () => app.refresh(refreshToken));
  expect((await read(next.access_token)).status).toBe(200);
});

test("a token with five minutes left is refreshed for its age, though it was challenged", async () => {
  const challengedAfter = async (minutes: number) => {
    const { access_token, refresh } = await issueBefore(minutes);
    await challenge(access_token);
    return refresh();
  };
  await expect(challengedAfter(50)).rejects.toMatchObject(INVALID);
  const next = await challengedAfter(55);
  expect((await read(next.access_token)).status).toBe(200);
});
