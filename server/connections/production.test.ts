import { expect, test } from "vitest";
import { newId } from "#server/base/ids.ts";
import { startApi } from "#server/testing/api.ts";
import { keyCaller } from "#server/testing/callers.ts";
import { startPeer } from "#server/testing/peer.ts";
import { useConnection } from "./use-connection.ts";

const api = await startApi({ settings: { sandbox: false } });

test("outside the sandbox no secret is sent to this machine, by any name", async () => {
  const { key, accountId, apiKey } = await api.createRootKey();
  const peer = await startPeer(() => ({}));
  const settings = { label: "Peer", provider: "peer", secret: "s", allowedHosts: ["127.0.0.1", "localhost"] };
  const client = { authType: "oauth2_client", clientId: "backend", tokenUrl: `${peer.origin}/token` };
  const plain = await api.send("POST", "/v1/connections", { key, body: { ...settings, ...client } });
  expect(plain.body.error.issues).toEqual([
    { path: "body.tokenUrl", message: expect.stringContaining("unencrypted") },
  ]);
  const made = await api.send("POST", "/v1/connections", { key, body: { ...settings, authType: "bearer" } });
  const { fetch } = await useConnection({
    caller: keyCaller(accountId, [apiKey.id]),
    connectionId: made.body.connection.id,
    requestId: newId("request"),
    purpose: "workflow",
  });
  for (const url of [peer.origin, `https://127.0.0.1:${peer.port}/`, `https://localhost:${peer.port}/`])
    await expect(fetch(url)).rejects.toMatchObject({ code: "policy_denied", operationState: "not_started" });
  expect(peer.received).toEqual([]);
});
