import { expect, test } from "vitest";
import { defined } from "#server/base/defined.ts";
import { signInMember, signUpAndIn } from "#server/testing/console.ts";
import { eventsKept, listen } from "#server/testing/events.ts";
import { CHOICE, connectApp, startOAuthApi } from "#server/testing/oauth.ts";
import { sweepOAuth } from "./sweep-oauth.ts";

const api = await startOAuthApi();
const owner = await signUpAndIn(api);
const developer = await signInMember(api, owner.accountId, "developer");
await listen(api, owner.accountId);

async function connect(person: typeof developer | typeof owner, choice = {}) {
  const app = await connectApp(api, { resource: "/v1" });
  const tokens = await app.redeem(await app.allow(person, choice));
  const { data } = await person.query("apps.list", {});
  return { app, tokens, key: tokens.access_token, id: data.apps[0].id };
}

async function endsOf(id: string) {
  const events = await eventsKept(api, owner.accountId);
  return events
    .filter(({ type, data }) => type.startsWith("app.") && data.apiKey.id === id)
    .map(({ type, data }) => [type, data.apiKey.app.name, data.reason]);
}

test("shows a person their own apps, and admins everybody's", async () => {
  const mine = await connect(owner);
  const theirs = await connect(developer, { creditsPerDay: null });
  await api.send("GET", "/v1/projects", { key: mine.key });
  expect((await developer.query("apps.list", {})).data.apps).toMatchObject([
    {
      id: theirs.id,
      app: { id: theirs.app.client.client_id, name: "Notes", host: null, verified: false },
      member: { id: developer.memberId },
      scopes: ["services:read", "projects:read"],
      spentToday: 0,
      creditsPerDay: null,
    },
  ]);
  const all = await owner.query("apps.list", { whose: "all" });
  expect(all.data.apps.map(({ id }: { id: string }) => id)).toEqual([theirs.id, mine.id]);
  expect(all.data.apps[1]).toMatchObject({ creditsPerDay: 1000, lastUsedAt: expect.any(String) });
  expect((await developer.query("apps.list", { whose: "all" })).error.code).toBe("scope_missing");
});

test("finds apps by a part of their name or their member's, and of a period", async () => {
  const { id } = await connect(developer);
  const idsBy = async (query: object) => {
    const { data } = await owner.query("apps.list", { whose: "all", ...query });
    return data.apps.map((app: { id: string }) => app.id);
  };
  expect(await idsBy({ search: "OTE", limit: 1 })).toEqual([id]);
  expect(await idsBy({ search: id })).toEqual([id]);
  expect(await idsBy({ search: "calendar" })).toEqual([]);
  const counted = await owner.query("apps.list", { whose: "all", total: "include", limit: 1 });
  expect(counted.data.total).toEqual({ count: (await idsBy({})).length, more: false });
  const [name] = (await owner.query("apps.list", { whose: "all", search: id })).data.apps.map(
    ({ member }: { member: { name: string } }) => member.name,
  );
  expect(await idsBy({ search: name })).toContain(id);
  const later = new Date(Date.now() + 1_000).toISOString();
  expect(await idsBy({ to: later, limit: 1 })).toEqual([id]);
  expect(await idsBy({ from: later })).toEqual([]);
});

test("lets a person revoke their own apps, and admins all; others find nothing", async () => {
  const mine = await connect(owner);
  const theirs = await connect(developer);
  const stranger = await signUpAndIn(api);
  const hidden = await developer.mutate("apps.revoke", { id: mine.id });
  expect(hidden.error).toMatchObject({ code: "not_found", message: `No connected app ${mine.id}.` });
  expect((await stranger.mutate("apps.revoke", { id: mine.id })).error.code).toBe("not_found");
  for (const [person, { id, key }] of [
    [developer, theirs],
    [owner, mine],
  ] as const) {
    expect((await person.mutate("apps.revoke", { id })).data).toEqual({ id });
    expect((await person.mutate("apps.revoke", { id })).status).toBe(200);
    expect((await api.send("GET", "/v1/projects", { key })).body.error.code).toBe("api_key_revoked");
    expect(await endsOf(id)).toEqual([
      ["app.connected", "Notes", undefined],
      ["app.ended", "Notes", "revoked"],
    ]);
  }
  const again = await connect(developer);
  await owner.mutate("apps.revoke", { id: again.id });
  const { data } = await owner.query("auditEvents.list", { operation: "apps.revoke" });
  expect(data.auditEvents[0]).toMatchObject({ resource: again.id, outcome: "allowed" });
});

test("emits one event with the reason why an app's access ended", async () => {
  const stolen = await connect(owner);
  const { refresh_token } = await stolen.app.refresh(defined(stolen.tokens.refresh_token));
  await stolen.app.refresh(defined(refresh_token));
  await stolen.app.refresh(defined(stolen.tokens.refresh_token)).catch(() => undefined);
  expect((await endsOf(stolen.id)).at(-1)).toEqual(["app.ended", "Notes", "token_reused"]);
  const short = await connect(owner, { days: 1 });
  for (const days of [2, 3])
    await sweepOAuth(api.platform.database.db, new Date(Date.now() + days * 86_400_000));
  expect(await endsOf(short.id)).toEqual([
    ["app.connected", "Notes", undefined],
    ["app.ended", "Notes", "expired"],
  ]);
  const leaver = await signInMember(api, owner.accountId, "viewer");
  const left = await connect(leaver);
  await owner.mutate("members.delete", { memberId: leaver.memberId });
  expect((await endsOf(left.id)).at(-1)).toEqual(["app.ended", "Notes", "membership_ended"]);
});

test("connects apps only for permitted members, checked at consent and at redemption", async () => {
  const app = await connectApp(api);
  const allowed = await app.allow(developer);
  const ask = async () => ({ requestId: (await app.ask()).searchParams.get("request"), ...CHOICE });
  await owner.mutate("account.update", { appConnectors: "admins" });
  await expect(app.redeem(allowed)).rejects.toMatchObject({ error: "invalid_grant" });
  const { requestId } = await ask();
  const shown = await developer.query("apps.requests.read", { requestId });
  expect(shown.data.request.mayConnect).toBe(false);
  expect((await developer.mutate("apps.allow", await ask())).error.code).toBe("policy_denied");
  expect((await owner.mutate("apps.allow", await ask())).status).toBe(200);
  await owner.mutate("account.update", { appConnectors: "nobody" });
  expect((await owner.mutate("apps.allow", await ask())).error.code).toBe("policy_denied");
  await owner.mutate("account.update", { appConnectors: "everyone" });
  expect((await developer.mutate("apps.allow", await ask())).status).toBe(200);
});

test("forgets a registration after 90 days, unless anybody has allowed the app access", async () => {
  const [unused, used] = [await connectApp(api), await connectApp(api)];
  await used.redeem(await used.allow(owner));
  const statusAfter = async (days: number, app: typeof unused) => {
    await sweepOAuth(api.platform.database.db, new Date(Date.now() + days * 86_400_000));
    return (await fetch(await app.addressToAsk(), { redirect: "manual" })).status;
  };
  expect(await statusAfter(89, unused)).toBe(303);
  expect(await statusAfter(91, unused)).toBe(400);
  expect(await statusAfter(91, used)).toBe(303);
});
