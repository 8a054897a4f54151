import { verifyMessage } from "viem";
import { afterAll, expect, test } from "vitest";
import { startApi, unique } from "#server/testing/api.ts";
import { decide } from "#server/testing/approvals.ts";
import { startJobs } from "#server/testing/jobs.ts";
import { createWebhook, startDelivering, startEndpoint } from "#server/testing/webhooks.ts";

const api = await startApi();
await startDelivering(api);
const worker = await startJobs(api);
afterAll(worker.stop);

const MESSAGE = "Release the funds.";

/** Creates a pending signature; returns it, the call that created it, and a key of another principal who may decide. */
async function waiting() {
  const root = await api.createRootKey();
  const [asker, decider] = await Promise.all([api.createChild(root.key), api.createChild(root.key)]);
  const { key } = asker;
  const body = { label: "Signer", policy: { approval: { always: true } } };
  const { wallet } = (await api.send("POST", "/v1/wallets", { key, body })).body;
  const path = `/v1/wallets/${wallet.id}/signatures`;
  const asked = { kind: "message", message: MESSAGE };
  const { quote } = (await api.send("POST", `${path}/quote`, { key, body: asked })).body;
  const idempotencyKey = unique("signature");
  const create = () => api.send("POST", path, { key, idempotencyKey, body: { quoteId: quote.id } });
  const first = await create();
  const [approval] = (await api.send("GET", "/v1/approvals", { key })).body.approvals;
  /** Repeats the call until the signature has this status; returns the response. */
  async function repeated(status: string) {
    await expect.poll(async () => (await create()).body.signature.status).toBe(status);
    return create();
  }
  return { asker, decider: decider.key, wallet, first, approval, repeated };
}

test("waits for its approval, shows the approver the message, and returns the signature to a repeat once it is signed", async () => {
  const endpoint = await startEndpoint();
  const { asker, decider, wallet, first, approval, repeated } = await waiting();
  await createWebhook(api, asker.key, endpoint.url, ["wallet.signature.*"]);
  expect(first.status).toBe(202);
  expect(first.body.signature).toMatchObject({ status: "awaiting_approval", signature: null });
  expect(approval).toMatchObject({
    kind: "signature",
    subject: { serviceId: "managed-wallets", id: first.body.signature.id },
    summary: 'Sign the message "Release the funds.".',
    payload: { walletId: wallet.id, message: MESSAGE, payloadHash: first.body.signature.payloadHash },
  });
  expect((await decide(api, decider, approval)).status).toBe(200);
  const { status, headers, body } = await repeated("signed");
  expect([status, headers.get("idempotent-replayed")]).toEqual([201, "true"]);
  const { signature } = body.signature;
  expect(await verifyMessage({ address: wallet.address, message: MESSAGE, signature })).toBe(true);
  await expect
    .poll(() => endpoint.received.map(({ body: { type } }) => type))
    .toEqual(["wallet.signature.signed"]);
  expect(endpoint.received[0]?.body.data.signature.signature).toBe(signature);
});
