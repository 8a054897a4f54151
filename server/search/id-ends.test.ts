import { expect, test } from "vitest";
import { toUuid } from "#server/base/ids.ts";
import { addCopies } from "#server/testing/add-copies.ts";
import { startApi } from "#server/testing/api.ts";
import { signInMember } from "#server/testing/console.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { createResource } from "#server/testing/resources.ts";
import { search } from "#server/testing/search.ts";
import { SILENT_CHAIN } from "#server/testing/silent-chain.ts";
import { remember, triggersDo } from "#server/testing/triggers.ts";

// Signing does not call the chain.
const api = await startApi({ settings: { chains: [SILENT_CHAIN] } });
const { key, accountId } = await createPayingKey(api, 100);
const account = String(toUuid("account", accountId));
const owner = await signInMember(api, accountId, "owner");

async function sign(): Promise<string> {
  const { wallet } = await api.mustSend(201, "POST", "/v1/wallets", { key, body: { label: "Signer" } });
  const path = `/v1/wallets/${wallet.id}/signatures`;
  const body = { kind: "message", message: "Release the funds." };
  const { quote } = await api.mustSend(201, "POST", `${path}/quote`, { key, body });
  return (await api.mustSend(201, "POST", path, { key, body: { quoteId: quote.id } })).signature.id;
}

async function putTrigger(): Promise<string> {
  const on = { cron: "0 3 * * *", timezone: "UTC" };
  return (await triggersDo(api, key, "put", { name: "nightly", on, start: remember })).trigger.id;
}

test.for([
  ["approval", "approvals", () => createResource(api, key, "approvalId"), ["id"]],
  ["artifact", "artifacts", () => createResource(api, key, "artifactId"), ["id"]],
  ["order", "orders", () => createResource(api, key, "orderId"), ["id"]],
  ["swap", "swaps", () => createResource(api, key, "swapId"), ["id"]],
  ["signature", "signatures", sign, ["id"]],
  ["trigger", "triggers", putTrigger, ["id", "space"]],
] as const)(
  "finds the oldest of more than 500 by the end of its id: %s",
  async ([kind, table, make, fresh]) => {
    const id = await make();
    await addCopies(api, { table, account, count: 600, fresh: [...fresh] });
    const prefix = id.slice(0, id.indexOf("_") + 1);
    const end = id.slice(-6);
    for (const text of [end, `…${end}`, `${prefix}01m8…${end}`, prefix + end, id.slice(-12)])
      expect(await search(owner, text), text).toContainEqual(expect.objectContaining({ kind, id }));
  },
);
