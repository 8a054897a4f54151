import { expect, test } from "vitest";
import { startApi } from "#server/testing/api.ts";
import { signInMember } from "#server/testing/console.ts";
import { createWebhook } from "#server/testing/webhooks.ts";
import { relayBatch } from "./relay.ts";

const api = await startApi();
const URL_ = "https://example.com/hook";
const OTHER = "https://example.com/other";

type Member = Awaited<ReturnType<typeof signInMember>>;

/** Creates an account with a wallet, a developer and an owner. `sign` returns a new signature's id. */
async function signingAccount() {
  const { key, accountId } = await api.createRootKey();
  const { wallet } = await api.mustSend(201, "POST", "/v1/wallets", { key, body: { label: "Signer" } });
  const path = `/v1/wallets/${wallet.id}/signatures`;
  async function sign(message = "Hi."): Promise<string> {
    const body = { kind: "message", message };
    const { quote } = await api.mustSend(201, "POST", `${path}/quote`, { key, body });
    const quoteId = quote.id;
    return (await api.mustSend(201, "POST", path, { key, body: { quoteId } })).signature.id;
  }
  const developer = await signInMember(api, accountId, "developer");
  const owner = await signInMember(api, accountId, "owner");
  return { key, accountId, wallet, sign, developer, owner };
}

async function hookOf(member: Member, events = ["*"]): Promise<string> {
  return (await member.mutate("webhooks.create", { url: URL_, events })).data.webhook.id;
}

interface Delivery {
  id: string;
  eventId: string;
  event: string;
}

/** Relays the stored events; returns a webhook's deliveries in the order of the events. */
async function deliveriesOf(member: Member, webhookId: string): Promise<Delivery[]> {
  await relayBatch(api.platform.database.client);
  const { deliveries } = (await member.query("webhookDeliveries.list", { webhookId })).data;
  return deliveries.toSorted((one: Delivery, other: Delivery) => (one.eventId < other.eventId ? -1 : 1));
}

const eventsOf = async (member: Member, webhookId: string) =>
  (await deliveriesOf(member, webhookId)).map(({ event }) => event);

test("sends a member's webhook the events within their role", async () => {
  const { key, sign, developer, owner } = await signingAccount();
  const [narrow, wide] = [await hookOf(developer), await hookOf(owner)];
  const part = await hookOf(developer, ["wallet.*"]);
  await sign();
  await api.mustSend(201, "POST", "/v1/wallets", { key, body: { label: "Second" } });
  expect(await eventsOf(developer, narrow)).toEqual(["wallet.created"]);
  expect(await eventsOf(developer, part)).toEqual(["wallet.created"]);
  expect(await eventsOf(owner, wide)).toEqual(["wallet.signature.signed", "wallet.created"]);
});

test("refuses a member's subscription to events beyond their role, naming the scope", async () => {
  const { developer, owner } = await signingAccount();
  const refusal = {
    status: 403,
    error: {
      code: "scope_missing",
      message:
        "The events wallet.signature.* need the scope wallets:sign, which the role developer lacks. Leave them out, or have a member with a role that has it subscribe to them.",
    },
  };
  const events = ["run.*", "wallet.signature.*"];
  expect(await developer.mutate("webhooks.create", { url: URL_, events })).toMatchObject(refusal);
  const webhookId = await hookOf(developer, ["run.*"]);
  expect(await developer.mutate("webhooks.update", { webhookId, events })).toMatchObject(refusal);
  const theirs = await hookOf(owner, events);
  const kept = await developer.mutate("webhooks.update", { webhookId: theirs, url: URL_, events });
  expect(kept.status).toBe(200);
});

test("sends nothing beyond a member's role to an address that they have chosen", async () => {
  const { key, sign, developer, owner } = await signingAccount();
  const ofMember = await hookOf(owner);
  const ofKey = (await createWebhook(api, key, URL_)).webhook.id;
  for (const webhookId of [ofMember, ofKey]) {
    const before = (await deliveriesOf(owner, webhookId)).length;
    await sign();
    await api.mustSend(201, "POST", "/v1/wallets", { key, body: { label: "Another" } });
    const [signed, created] = (await deliveriesOf(owner, webhookId)).slice(before);
    await developer.mutate("webhooks.update", { webhookId, url: OTHER });
    expect((await deliveriesOf(owner, webhookId)).slice(before)).toMatchObject([
      { id: signed?.id, event: "wallet.signature.signed", status: "abandoned" },
      { id: created?.id, event: "wallet.created", status: "pending" },
    ]);
    const replayed = await developer.mutate("webhookDeliveries.replay", { deliveryId: signed?.id });
    expect(replayed).toMatchObject({ status: 403, error: { code: "scope_missing" } });
    await owner.mutate("webhooks.update", { webhookId, events: ["wallet.*"] });
    await sign();
    expect(await eventsOf(owner, webhookId)).toHaveLength(before + 2);
    await owner.mutate("webhooks.update", { webhookId, url: OTHER });
    await sign();
    expect((await eventsOf(owner, webhookId)).slice(before + 2)).toEqual(["wallet.signature.signed"]);
  }
});

test("keeps an owner's webhook as it is if a developer changes its description", async () => {
  const { sign, developer, owner } = await signingAccount();
  const webhookId = await hookOf(owner);
  const form = { url: URL_, events: ["*"], payload: "full", filter: null, description: "Treasury" };
  const updated = await developer.mutate("webhooks.update", { webhookId, ...form });
  expect(updated.data.webhook.description).toBe("Treasury");
  await sign();
  expect(await eventsOf(owner, webhookId)).toEqual(["wallet.signature.signed"]);
});

test("sends a webhook that a developer has adopted the events within their role", async () => {
  const { key, sign, developer } = await signingAccount();
  const child = await api.createChild(key);
  const webhookId = (await createWebhook(api, child.key, URL_)).webhook.id;
  await api.mustSend(200, "DELETE", `/v1/api-keys/${child.apiKey.id}`, { key });
  await developer.mutate("webhooks.update", { webhookId, status: "active" });
  await sign();
  await api.mustSend(201, "POST", "/v1/wallets", { key, body: { label: "Second" } });
  const events = await eventsOf(developer, webhookId);
  expect(events).toContain("wallet.created");
  expect(events).not.toContain("wallet.signature.signed");
});

test("shows members only the bodies of events within their role", async () => {
  const { key, accountId, sign, owner } = await signingAccount();
  const viewer = await signInMember(api, accountId, "viewer");
  const webhookId = await hookOf(owner);
  await sign();
  await api.mustSend(201, "POST", "/v1/wallets", { key, body: { label: "Second" } });
  const [signed, created] = await deliveriesOf(viewer, webhookId);
  const bodyFor = async (member: Member, deliveryId: string | undefined) =>
    (await member.query("webhookDeliveries.read", { deliveryId })).data.payload;
  expect(await bodyFor(viewer, signed?.id)).toBeNull();
  expect(JSON.parse(await bodyFor(viewer, created?.id)).data.wallet.label).toBe("Second");
  expect(JSON.parse(await bodyFor(owner, signed?.id)).data.signature.signature).toMatch(/^0x/);
});
