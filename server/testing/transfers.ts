import { createHash } from "node:crypto";
import { startApi, unique } from "./api.ts";
import { decide } from "./approvals.ts";
import { onCleanup } from "./cleanup.ts";
import { eventually } from "./eventually.ts";
import { startJobs } from "./jobs.ts";
import { startTenantCluster } from "./tenants.ts";

type Api = Awaited<ReturnType<typeof startApi>>;
type Caller = Pick<Api, "send" | "mustSend">;

/**
 * Starts the platform with a cluster for accounts' databases and a worker for their transfers, until the test file
 * ends.
 */
export async function startWithDatabases(): Promise<Api> {
  const tenants = await startTenantCluster();
  const api = await startApi({ settings: { tenantClusters: [tenants.cluster] } });
  const worker = await startJobs(api);
  onCleanup(async () => {
    await worker.stop();
    await tenants.drop();
  });
  return api;
}

/** Provisions the database of a new account; returns the account's root key. */
export async function provisionDatabase(api: Api): Promise<string> {
  const { key } = await api.createRootKey();
  const made = await api.send("POST", "/v1/databases/account", { key, body: {} });
  if (made.status !== 201) throw new Error(JSON.stringify(made.body));
  return key;
}

/** Deprovisions the account's database with an approval; returns the id of its last export. */
export async function deprovisionDatabase(api: Api, key: string): Promise<string> {
  const action = { serviceId: "managed-database", operationId: "deprovision", input: {} };
  const { approval } = await api.mustSend(201, "POST", "/v1/approvals/service-actions", {
    key,
    body: action,
  });
  await decide(api, key, approval);
  const path = `/v1/databases/account?approvalId=${approval.id}`;
  return (await api.send("DELETE", path, { key })).body.finalTransferId;
}

/** Applies statements together. */
export async function runActions(api: Api, key: string, statements: readonly string[]): Promise<void> {
  const actions = statements.map((sql) => ({ type: "sql", sql }));
  const { body } = await api.send("POST", "/v1/databases/actions", {
    key,
    body: { actions, timeoutMs: 60_000 },
  });
  if (!body.ok) throw new Error(`${JSON.stringify(body.error)} of ${statements.join(";\n")}`);
}

export async function queryRows(api: Api, key: string, sql: string): Promise<unknown[][]> {
  const { body } = await api.send("POST", "/v1/databases/query", {
    key,
    body: { sql },
    idempotencyKey: null,
  });
  if (!body.ok) throw new Error(`${JSON.stringify(body.error)} of ${sql}`);
  return body.rows;
}

export async function startTransfer(api: Caller, key: string, body: object): Promise<string> {
  return (await api.send("POST", "/v1/databases/transfers", { key, body })).body.transfer.id;
}

/** Returns the transfer once it has ended. */
export async function endOfTransfer(api: Caller, key: string, id: string) {
  return eventually(async () => {
    const { transfer } = await api.mustSend(200, "GET", `/v1/databases/transfers/${id}`, { key });
    return /ready|completed|failed/.test(transfer.status) ? transfer : undefined;
  });
}

/** Returns the bytes of a new export. */
export async function exportArchive(api: Api, key: string): Promise<Buffer> {
  const id = await startTransfer(api, key, { direction: "export" });
  const { status, error } = await endOfTransfer(api, key, id);
  if (status !== "ready") throw new Error(JSON.stringify(error));
  return downloadArchive(api, key, id);
}

export async function downloadArchive(api: Api, key: string, id: string): Promise<Buffer> {
  const response = await fetch(`${api.origin}/v1/databases/transfers/${id}/archive`, {
    headers: { authorization: `Bearer ${key}` },
  });
  return Buffer.from(await response.arrayBuffer());
}

/** Returns the size and the digest of bytes, as parts and archives declare them. */
export const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

export async function uploadPart(
  api: Api,
  key: string,
  id: string,
  { partNumber, bytes, headers = {} }: { partNumber: number; bytes: Uint8Array; headers?: object },
) {
  const response = await fetch(`${api.origin}/v1/databases/transfers/${id}/parts/${partNumber}`, {
    method: "PUT",
    headers: {
      authorization: `Bearer ${key}`,
      "idempotency-key": unique("part"),
      "content-type": "application/zip",
      ...headers,
    },
    body: Buffer.from(bytes),
  });
  return { status: response.status, body: await response.json() };
}

/** Imports an archive in two parts, the last one first; returns the transfer once it has ended. */
export async function importArchive(api: Api, key: string, bytes: Buffer, body: object = {}) {
  const id = await startTransfer(api, key, { direction: "import", ...body });
  const half = Math.ceil(bytes.length / 2);
  const pieces = [bytes.subarray(0, half), bytes.subarray(half)];
  const parts = pieces.map((piece, place) => ({ partNumber: place + 1, bytes: piece }));
  for (const part of parts.toReversed()) {
    const { status, body } = await uploadPart(api, key, id, part);
    if (status !== 200) throw new Error(JSON.stringify(body));
  }
  const named = parts.map(({ partNumber, bytes }) => ({ partNumber, sha256: sha256(bytes) }));
  const path = `/v1/databases/transfers/${id}/complete`;
  const completed = await api.send("POST", path, { key, body: { parts: named } });
  if (completed.status !== 202) throw new Error(JSON.stringify(completed.body));
  return endOfTransfer(api, key, id);
}
