import { afterAll, expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";
import { signInMember } from "#server/testing/console.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { putInbound } from "#server/testing/inbound.ts";
import { invokeTriggers, remember, runsOf, startTriggers, triggersDo } from "#server/testing/triggers.ts";

const api = await startApi();
const worker = await startTriggers(api);
afterAll(() => worker.stop());

const on = { cron: "30 2 * * *", timezone: "UTC" };
const nightly = { name: "nightly", on, start: remember, overlap: "allow" };

/**
 * Creates a root key with two branches: one with a key that owns triggers and a child of it, the other with a single
 * key.
 */
async function createFamily() {
  const { key: root, apiKey: rootKey, accountId } = await createPayingKey(api, 1000);
  const owner = await api.createChild(root);
  const child = await api.createChild(owner.key);
  const sibling = await api.createChild(root);
  return { accountId, root, rootKey, owner, child, sibling };
}

const HOURS = { from: "2026-01-01T00:00:00.000Z", to: "2026-01-03T00:00:00.000Z" };
const CHANGES: readonly [string, object][] = [
  ["pause", {}],
  ["resume", {}],
  ["fire", {}],
  ["backfill", HOURS],
  ["replay", {}],
  ["rotate_address", {}],
  ["delete", {}],
];

test("lets the key that put a trigger, and the keys above it, change it", async () => {
  const { root, owner } = await createFamily();
  for (const key of [owner.key, root]) {
    const { trigger } = await triggersDo(api, owner.key, "put", nightly);
    expect((await triggersDo(api, key, "pause", { name: "nightly" })).trigger.status).toBe("paused");
    expect((await triggersDo(api, key, "resume", { name: "nightly" })).trigger.status).toBe("active");
    await triggersDo(api, key, "fire", { name: "nightly" });
    expect(await triggersDo(api, key, "backfill", { name: "nightly", ...HOURS })).toMatchObject({ asked: 2 });
    await expect.poll(() => runsOf(api, root, trigger.id)).toHaveLength(3);
    await triggersDo(api, key, "delete", { name: "nightly" });
    const { address } = await putInbound(api, owner.key, { scheme: "none" });
    const rotated = await triggersDo(api, key, "rotate_address", { name: "inbound" });
    expect(rotated.trigger.on.webhook.address).not.toBe(address);
    expect(await triggersDo(api, key, "replay", { name: "inbound" })).toMatchObject({ replayed: 0 });
  }
});

test("makes an ancestor key the owner when it puts the trigger again", async () => {
  const { root, rootKey, owner } = await createFamily();
  const { trigger } = await triggersDo(api, owner.key, "put", nightly);
  expect(trigger.ownerKeyId).toBe(owner.apiKey.id);
  const adopted = await triggersDo(api, root, "put", { ...nightly, overlap: "skip" });
  expect(adopted.trigger).toMatchObject({
    id: trigger.id,
    nextAt: trigger.nextAt,
    overlap: "skip",
    ownerKeyId: rootKey.id,
  });
  const after = await invokeTriggers(api, owner.key, "pause", { name: "nightly" });
  expect(after.body.error).toMatchObject({ status: 404, code: "not_found" });
});

test.each(["sibling", "child"] as const)("keeps a %s of the owner from changing a trigger", async (which) => {
  const family = await createFamily();
  const { root, owner } = family;
  const { key } = family[which];
  const { trigger } = await triggersDo(api, owner.key, "put", nightly);
  const { address } = await putInbound(api, owner.key, { scheme: "none" });
  const taken = await invokeTriggers(api, key, "put", {
    ...nightly,
    start: { ...remember, input: { name: "theirs", content: "Taken over." } },
  });
  expect(taken.body.error).toMatchObject({
    status: 409,
    code: "already_exists",
    message: `A trigger has the name "nightly" that is not this key's to replace: key ${owner.apiKey.id} has put it. Use that key or one above it, or change it in the console. Or send another name.`,
  });
  for (const [operation, more] of CHANGES)
    for (const name of ["nightly", "inbound"]) {
      const refused = await invokeTriggers(api, key, operation, { name, ...more });
      expect(refused.body.error, `${operation} ${name}`).toMatchObject({
        status: 404,
        code: "not_found",
        message: `The trigger "${name}" is not this key's to change: key ${owner.apiKey.id} has put it. Use that key or one above it, or change it in the console.`,
      });
    }
  // It can be read like the runs of its project or end user, without the address that starts runs in the owner's name.
  const seen = await triggersDo(api, key, "get", { name: "nightly" });
  expect(seen.trigger).toEqual(trigger);
  expect(seen.ticks).toEqual([]);
  const addressFor = async (one: string) =>
    (await triggersDo(api, one, "get", { name: "inbound" })).trigger.on.webhook.address;
  expect([await addressFor(key), await addressFor(owner.key), await addressFor(root)]).toEqual([
    null,
    address,
    address,
  ]);
  expect(await runsOf(api, root, trigger.id)).toEqual([]);
});

test("keeps a sibling key from a trigger whose owner has ended, until an ancestor of the owner puts it again", async () => {
  const { root, rootKey, owner, sibling } = await createFamily();
  await triggersDo(api, owner.key, "put", nightly);
  await api.mustSend(200, "DELETE", `/v1/api-keys/${owner.apiKey.id}`, { key: root });
  const reasonOf = async () =>
    (await triggersDo(api, sibling.key, "get", { name: "nightly" })).trigger.pausedReason;
  await expect.poll(reasonOf).toBe("owner_ended");
  const taken = await invokeTriggers(api, sibling.key, "put", nightly);
  expect(taken.body.error).toMatchObject({ status: 409, code: "already_exists" });
  const adopted = await triggersDo(api, root, "put", nightly);
  expect(adopted.trigger).toMatchObject({ status: "active", ownerKeyId: rootKey.id });
});

test("lets members change every trigger of the account, and no key a member's", async () => {
  const { accountId, root, owner } = await createFamily();
  const member = await signInMember(api, accountId, "developer");
  const invoke = (operationId: string, input: object) =>
    member.mutate("services.invoke", { serviceId: "managed-triggers", operationId, input });
  const { trigger } = await triggersDo(api, owner.key, "put", nightly);
  for (const operation of ["pause", "resume", "fire"])
    expect((await invoke(operation, { name: "nightly" })).status).toBe(200);
  await expect.poll(() => runsOf(api, root, trigger.id)).toHaveLength(1);
  const adopted = await invoke("put", nightly);
  expect(adopted.data.result.trigger).toMatchObject({ id: trigger.id, ownerKeyId: null });
  for (const key of [owner.key, root]) {
    const put = await invokeTriggers(api, key, "put", nightly);
    expect(put.body.error).toMatchObject({
      status: 409,
      code: "already_exists",
      message:
        'A trigger has the name "nightly" that is not this key\'s to replace: a member has put it. Change it in the console. Or send another name.',
    });
    const paused = await invokeTriggers(api, key, "pause", { name: "nightly" });
    expect(paused.body.error).toMatchObject({ status: 404, code: "not_found" });
  }
  expect((await invoke("delete", { name: "nightly" })).status).toBe(200);
});

test("lets exactly one of two branches take a name at the same time", async () => {
  const { root, owner, sibling } = await createFamily();
  const names = Array.from({ length: 10 }, (_, nth) => `race-${nth}`);
  for (const name of names) {
    const [one, other] = await Promise.all(
      [owner, sibling].map(({ key }) => invokeTriggers(api, key, "put", { ...nightly, name })),
    );
    expect([one?.status, other?.status].sort()).toEqual([200, 409]);
    const winner = one?.status === 200 ? owner : sibling;
    const { trigger } = await triggersDo(api, root, "get", { name });
    expect(trigger.ownerKeyId).toBe(winner.apiKey.id);
  }
});
