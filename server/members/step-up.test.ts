import { TOTP } from "otpauth";
import { expect, test } from "vitest";
import { everyOperation, operations } from "#server/operations.ts";
import { startApi } from "#server/testing/api.ts";
import { PASSWORD, signInMember, signUpAndIn } from "#server/testing/console.ts";

const api = await startApi({ trustedProxies: ["127.0.0.1"] });
const { client } = api.platform.database;

type Person = Awaited<ReturnType<typeof signUpAndIn>>;

const codeOf = (secret: string, steps = 0) =>
  new TOTP({ secret }).generate({ timestamp: Date.now() + steps * 30_000 });

/** Makes the proofs of all the person's sessions this old. */
async function ageProof({ email }: Pick<Person, "email">, minutes: number) {
  await client`update sessions set proved_at = now() - make_interval(mins => ${minutes})
    where user_id = (select id from users where email = ${email})`;
}

async function enrol(person: Pick<Person, "mutate">): Promise<string> {
  const { secret } = (await person.mutate("me.secondFactor.begin", { password: PASSWORD })).data;
  await person.mutate("me.secondFactor.confirm", { code: codeOf(secret, -1) });
  return secret;
}

const makeKey = (person: Pick<Person, "mutate">, headers?: Record<string, string>) =>
  person.mutate("apiKeys.create", { label: "Mine", scopes: ["projects:read"] }, headers);

const ASKED = {
  status: 403,
  error: { code: "policy_denied", needs: "proof", operationState: "not_started" },
};

test("counts a sign-in as a proof for fifteen minutes, then demands a new one to create keys", async () => {
  const ada = await signUpAndIn(api);
  await ageProof(ada, 14);
  const { apiKey } = (await makeKey(ada)).data;
  await ageProof(ada, 16);
  expect(await makeKey(ada)).toMatchObject(ASKED);
  expect(await ada.mutate("apiKeys.revoke", { id: apiKey.id })).toMatchObject(ASKED);
  expect((await ada.mutate("projects.create", { name: "Shop" })).status).toBe(200);
  expect((await ada.query("apiKeys.list")).status).toBe(200);
});

test("takes the same call under the same idempotency key after the proof", async () => {
  const ada = await signUpAndIn(api);
  await ageProof(ada, 16);
  const headers = { "idempotency-key": "asked-again-1" };
  expect(await makeKey(ada, headers)).toMatchObject(ASKED);
  expect((await ada.mutate("me.prove", { password: PASSWORD })).status).toBe(200);
  const made = await makeKey(ada, headers);
  expect(made.status).toBe(200);
  expect((await makeKey(ada, headers)).data).toEqual(made.data);
});

test("proves the session it is asked in, and no other", async () => {
  const ada = await signUpAndIn(api);
  const elsewhere = await signInMember(api, ada.accountId, "owner");
  await Promise.all([ageProof(ada, 16), ageProof(elsewhere, 16)]);
  await ada.mutate("me.prove", { password: PASSWORD });
  expect((await makeKey(ada)).status).toBe(200);
  expect(await makeKey(elsewhere)).toMatchObject(ASKED);
});

test("takes the password where no second factor is set up, and only a code where one is", async () => {
  const ada = await signUpAndIn(api);
  await ageProof(ada, 16);
  const wrong = await ada.mutate("me.prove", { password: "not the password" });
  expect(wrong).toMatchObject({ status: 400, error: { issues: [{ path: "body.password" }] } });
  const secret = await enrol(ada);
  expect(await ada.mutate("me.prove", { password: PASSWORD })).toMatchObject({
    status: 400,
    error: { issues: [{ path: "body.code" }] },
  });
  expect(await ada.mutate("me.prove", { code: "000000" })).toMatchObject({ status: 400 });
  expect(await makeKey(ada)).toMatchObject(ASKED);
  const code = codeOf(secret);
  expect((await ada.mutate("me.prove", { code })).status).toBe(200);
  expect((await makeKey(ada)).status).toBe(200);
  await ageProof(ada, 16);
  expect((await ada.mutate("me.prove", { code })).status).toBe(400);
  const proofs = (await ada.query("auditEvents.list", { operation: "sessions.prove" })).data.auditEvents;
  expect(proofs).toHaveLength(1);
});

test("answers 429 to the sixth wrong password in a row", async () => {
  const ada = await signUpAndIn(api);
  const statuses = [];
  for (let tries = 0; tries < 6; tries++)
    statuses.push((await ada.mutate("me.prove", { password: "not the password" })).status);
  expect(statuses).toEqual([...Array(5).fill(400), 429]);
});

test("demands nothing of keys, and reports a missing scope first", async () => {
  const { key } = await api.createRootKey();
  expect((await api.createChild(key)).apiKey.id).toMatch(/^key_/);
  const ada = await signUpAndIn(api);
  const viewer = await signInMember(api, ada.accountId, "viewer");
  await ageProof(viewer, 16);
  expect(await makeKey(viewer)).toMatchObject({ status: 403, error: { code: "scope_missing" } });
});

test("is required for everything that moves money, creates keys or changes permissions", () => {
  const grave =
    /^(apiKeys\.(create|delegate|revoke)|approvals\.decide|wallets\.(policy\.update|transactions\.create|signatures\.create)|trading\.orders\.create|swaps\.execute|members\.(update|delete)|apps\.allow|invitations\.create|account\.(update|delete))$/;
  const asking = everyOperation.filter(({ stepUp }) => stepUp).map(({ id }) => id);
  const meant = operations.map(({ id }) => id).filter((id) => grave.test(id));
  expect(asking.sort()).toEqual(meant.sort());
});

test("lets members without a second factor do nothing where the account requires one", async () => {
  const ada = await signUpAndIn(api);
  const grace = await signInMember(api, ada.accountId, "admin");
  const { data } = await makeKey(grace);
  const required = { requireSecondFactor: true };
  expect(await ada.mutate("account.update", required)).toMatchObject({ status: 409 });
  await enrol(ada);
  expect((await ada.mutate("account.update", required)).data.account).toMatchObject(required);
  const refused = { status: 403, error: { code: "policy_denied", needs: "second_factor" } };
  expect(await grace.query("projects.list")).toMatchObject(refused);
  expect(await grace.mutate("projects.create", { name: "Shop" })).toMatchObject(refused);
  expect(
    (
      await fetch(`${api.origin}/api/bytes/files/file_01jz4w1n9vf5ha3kqcx8y2r7te`, {
        headers: { cookie: grace.cookie },
      })
    ).status,
  ).toBe(403);
  expect((await grace.query("me.read")).data).toMatchObject({ mustEnrol: true, secondFactor: false });
  expect((await api.send("GET", "/v1/projects", { key: data.secret })).status).toBe(200);
  expect((await ada.query("projects.list")).status).toBe(200);
  await enrol(grace);
  expect((await grace.query("projects.list")).status).toBe(200);
  expect((await grace.query("me.read")).data.mustEnrol).toBe(false);
});
