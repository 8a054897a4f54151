import { generateKeyPairSync } from "node:crypto";
import { join } from "node:path";
import { expect } from "vitest";
import { writeArchive } from "#server/audit/archive/write-archive.ts";
import { exportAudit } from "#server/audit/export-audit.ts";
import { verifyExport } from "#server/audit/verify-export.ts";
import { defined } from "#server/base/defined.ts";
import { toUuid } from "#server/base/ids.ts";
import { openBlobStore } from "#server/providers/blobs/open-blob-store.ts";
import { clientOf } from "../api.ts";
import type { TestChain } from "../chain.ts";
import { caller, PASSWORD, signUpAndIn, trySignIn } from "../console.ts";
import { connectApp } from "../oauth.ts";
import { startPeer } from "../peer.ts";
import { createWallet, RECIPIENT, send, transactionWith } from "../transactions.ts";
import { remember } from "../triggers.ts";
import { startEndpoint } from "../webhooks.ts";
import { LOAD_SCOPES } from "./load.ts";
import type { Cell, Cells } from "./start-cells.ts";

const SCOPES = [
  ...LOAD_SCOPES,
  "connections:write",
  "wallets:create",
  "wallets:read",
  "wallets:sign",
  "wallets:transact",
];
const WEI = 10n ** 16n;

const { privateKey } = generateKeyPairSync("ed25519");

/**
 * Creates an account with everything that a move between cells could lose: a wallet, an app that has signed in, a
 * webhook, an inbound webhook, runs that wait for callbacks, archived events, and a person with a password.
 */
export async function startResident({ origin, folder }: Cells, home: Cell, chain: TestChain) {
  const api = clientOf(origin);
  const blobs = openBlobStore({ folder: join(folder, "blobs") });
  const siteOf = (cell: Cell) => ({ origin: cell.origin, platform: { settings: { baseUrl: cell.origin } } });
  const person = await signUpAndIn(siteOf(home));
  const { accountId, email } = person;
  /** The newest first. */
  const passwords = [PASSWORD];
  const account = toUuid("account", accountId);
  const created = await person.mutate("apiKeys.create", {
    label: "Root",
    scopes: SCOPES,
    limits: { "*": { requestsPerMinute: 10_000 } },
  });
  if (created.status !== 200) throw new Error(JSON.stringify(created.error));
  const key: string = created.data.secret;
  const create = (path: string, body: object, status = 201) =>
    api.mustSend(status, "POST", path, { key, body });

  const wallet = await createWallet(api, chain, key, { eth: "10" });
  const before = await chain.client.getBalance({ address: RECIPIENT });
  const sends = [await send(api, key, wallet.id)];
  const confirmSends = async () => {
    for (const sent of sends) await transactionWith(api, key, sent, "confirmed");
  };
  await confirmSends();

  const app = await connectApp({ origin: home.origin }, { resource: "/v1" });
  let tokens = await app.redeem(await app.allow(person, { scopes: ["projects:read"] }));

  let isDown = false;
  const endpoint = await startEndpoint((response) => response.writeHead(isDown ? 503 : 200).end());
  await create("/v1/webhooks", { url: endpoint.url, events: ["project.created"] });
  const peer = await startPeer(() => ({ status: 202 }));
  const { connection } = await create("/v1/connections", {
    label: "Peer",
    provider: "peer",
    authType: "bearer",
    secret: "the peer's",
    allowedHosts: [peer.host],
  });
  const inbound = { name: "inbound", on: { webhook: { scheme: "none" } }, start: remember };
  const { result } = await create(
    "/v1/services/managed-triggers/invoke",
    { operationId: "put", input: inbound },
    200,
  );
  const inboundAddress: string = result.trigger.on.webhook.address;

  const post = async (address: string, body: object) => {
    const headers = { "content-type": "application/json" };
    return (await fetch(address, { method: "POST", headers, body: JSON.stringify(body) })).status;
  };
  const deliveriesOf = (projectId: string) =>
    endpoint.received.filter(({ body }) => body.projectId === projectId).length;

  /** Archives the account's events so far, as if their month were old. */
  async function archive({ database }: Cell): Promise<void> {
    const { client, db } = database;
    const [head] = await client<{ sequence: string }[]>`
      select sequence from audit_heads where account_id = ${account}`;
    const part = { accountId, end: Number(head?.sequence), before: new Date(Date.now() + 60_000) };
    expect(await writeArchive({ db, blobs, key: privateKey }, part)).toBe(true);
  }

  return {
    accountId,
    /** Leaves a send without a block, a failed delivery, and a run that waits for its callback. */
    async begin(cell: Cell) {
      await chain.client.setAutomine(false);
      const sent = await send(api, key, wallet.id);
      sends.push(sent);
      await transactionWith(api, key, sent, "broadcast");
      isDown = true;
      const { project } = await create("/v1/projects", { name: `Before leaving ${cell.name}` });
      await expect.poll(() => deliveriesOf(project.id)).toBe(1);
      const asked = peer.received.length;
      const step = {
        id: "work",
        type: "http",
        connectionId: connection.id,
        method: "POST",
        url: `${peer.origin}/jobs`,
        body: { url: "{% callback.url %}" },
        callback: { timeoutSeconds: 600 },
      };
      const execute = {
        serviceId: "managed-workflows",
        operationId: "execute",
        input: { workflow: { name: "Own code", steps: [step] } },
      };
      const { run } = await create("/v1/runs", execute, 202);
      await expect.poll(() => peer.received.length).toBe(asked + 1);
      const callback: string = JSON.parse(defined(peer.received.at(-1)).body).url;
      await archive(cell);
      return { projectId: project.id, runId: run.id, callback };
    },

    /** Completes the work that `begin` has left, and uses all addresses and secrets again. */
    async finish({ projectId, runId, callback }: { projectId: string; runId: string; callback: string }) {
      await chain.mine();
      await chain.client.setAutomine(true);
      sends.push(await send(api, key, wallet.id));
      await confirmSends();
      isDown = false;
      await expect.poll(() => deliveriesOf(projectId)).toBe(2);
      tokens = await app.refresh(defined(tokens.refresh_token), { resource: `${home.origin}/v1` });
      const listed = await clientOf(home.origin).send("GET", "/v1/projects", { key: tokens.access_token });
      expect(listed.status).toBe(200);
      expect(await post(callback, { done: true })).toBe(200);
      await expect
        .poll(async () => (await api.send("GET", `/v1/runs/${runId}`, { key })).body.run?.status)
        .toBe("succeeded");
      expect(await post(inboundAddress, {})).toBe(202);
    },

    /** Returns the number of admitted calls that count against the limits of its keys in a cell. */
    countersIn: async ({ database }: Cell) => [
      ...(await database.client`
        select r.key_id, r.selector, r.at, r.admitted from rate_limit_counters r
        where r.key_id = ${toUuid("apiKey", created.data.apiKey.id)} order by 2`),
    ],

    /** Exports its events, and verifies them offline. */
    async exportFrom({ database }: Cell) {
      const lines: string[] = [];
      const request = { accountId, from: null, to: null };
      for await (const line of exportAudit(database, privateKey, request, { blobs }))
        lines.push(JSON.stringify(line));
      return verifyExport(lines);
    },

    /** Signs in with the last password, fails with the earlier ones, and chooses a new one. */
    async renewPassword(cell: Cell) {
      const site = siteOf(cell);
      const [password = "", ...older] = passwords;
      for (const old of older)
        expect((await trySignIn(site, { email, password: old })).error).toBe("wrong_credentials");
      const { error, cookie } = await trySignIn(site, { email, password });
      expect(error).toBeNull();
      const newPassword = `${PASSWORD} ${passwords.length}`;
      const changed = await caller(site, cookie).mutate("me.password.change", { password, newPassword });
      expect(changed.status).toBe(200);
      passwords.unshift(newPassword);
    },

    sends: () => sends.length,
    /** Returns the number of its sends that have arrived, and of the nonces they used. */
    async received() {
      const wei = (await chain.client.getBalance({ address: RECIPIENT })) - before;
      expect(await chain.client.getTransactionCount({ address: wallet.address })).toBe(Number(wei / WEI));
      return Number(wei / WEI);
    },
  };
}
