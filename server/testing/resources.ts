import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { eq } from "drizzle-orm";
import { databaseTransferParts, databaseTransfers } from "#db/schema/databases.ts";
import { apiKeys } from "#db/schema/keys.ts";
import { quotes } from "#db/schema/quotes.ts";
import { swapRoutes, swaps } from "#db/schema/swaps.ts";
import { orders } from "#db/schema/trading.ts";
import { walletTransactions } from "#db/schema/transactions.ts";
import { insertArtifact } from "#server/artifacts/queries.ts";
import { defined } from "#server/base/defined.ts";
import { type IdKind, newId, newUuid } from "#server/base/ids.ts";
import { keepBlob, writeBlob } from "#server/blobs/queries.ts";
import { requiredQuery } from "#server/docs/call-examples.ts";
import type { Operation } from "#server/operation/operation.ts";
import type { startApi } from "./api.ts";

type Api = Awaited<ReturnType<typeof startApi>>;

interface ResourceKind {
  kind: IdKind;
  /** Creates a resource in the account of this key, and returns its id. */
  make(api: Api, key: string): Promise<string>;
}

const ADDRESS = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

/**
 * The resource of each path parameter, or field of a body, and how to create it. An operation with a new parameter needs
 * an entry here.
 */
const RESOURCES: Record<string, ResourceKind> = {
  id: { kind: "apiKey", make: async (api, key) => (await api.createChild(key)).apiKey.id },
  projectId: {
    kind: "project",
    make: async (api, key) => {
      const { body } = await api.send("POST", "/v1/projects", { key, body: { name: "Another" } });
      return body.project.id;
    },
  },
  fileId: {
    kind: "file",
    make: async (api, key) => {
      const headers = { "x-file-name": "hello.txt" };
      const { body } = await api.send("POST", "/v1/files", { key, headers, bytes: Buffer.from("hello") });
      return body.file.id;
    },
  },
  artifactId: { kind: "artifact", make: async (api, key) => (await makeArtifact(api, key)).id },
  connectionId: {
    kind: "connection",
    make: async (api, key) => {
      const body = {
        label: "Another",
        provider: "orders",
        authType: "bearer",
        secret: "of-the-outside-system",
        allowedHosts: ["api.example.com"],
      };
      return (await api.send("POST", "/v1/connections", { key, body })).body.connection.id;
    },
  },
  transferId: { kind: "transfer", make: makeTransfer },
  runId: {
    kind: "run",
    make: async (api, key) => {
      const body = { serviceId: "managed-memory", operationId: "list", input: {} };
      return (await api.mustSend(202, "POST", "/v1/runs", { key, body })).run.id;
    },
  },
  approvalId: {
    kind: "approval",
    make: async (api, key) => {
      const body = { serviceId: "managed-memory", operationId: "delete", input: { name: "greeting" } };
      const made = await api.send("POST", "/v1/approvals/service-actions", { key, body });
      return made.body.approval.id;
    },
  },
  swapId: { kind: "swap", make: makeSwap },
  routeId: { kind: "route", make: makeRoute },
  orderId: { kind: "order", make: makeOrder },
  quoteId: { kind: "quote", make: makeQuote },
  walletId: {
    kind: "wallet",
    make: async (api, key) =>
      (await api.send("POST", "/v1/wallets", { key, body: { label: "Another" } })).body.wallet.id,
  },
  transactionId: { kind: "transaction", make: makeTransaction },
  webhookId: {
    kind: "webhook",
    make: async (api, key) => {
      const { body } = await api.send("POST", "/v1/webhooks", {
        key,
        body: { url: "https://example.com/hook", events: ["file.created"] },
      });
      return body.webhook.id;
    },
  },
  deliveryId: {
    kind: "delivery",
    make: async (api, key) => {
      await createResource(api, key, "webhookId");
      await createResource(api, key, "fileId");
      for (;;) {
        // Other processes may be fanning out the same events without having committed yet.
        await api.platform.database.client`select fan_out_events(1000)`;
        const { body } = await api.send("GET", "/v1/webhook-deliveries", { key });
        if (body.deliveries.length > 0) return body.deliveries[0].id;
      }
    },
  },
};

/** Creates an artifact of a run that does not exist, in the account of this key. */
export async function makeArtifact(
  api: Api,
  key: string,
  { content = "hello", serviceId = "managed-memory", name = "hello.txt", runId = newId("run") } = {},
) {
  const { db } = api.platform.database;
  const assignment = await assignmentOf(api, key);
  const { accountId } = assignment;
  const run = { ...assignment, id: runId, serviceId };
  const blob = await writeBlob(Readable.from([Buffer.from(content)]), { accountId, kind: "artifacts" });
  return db.transaction((tx) => insertArtifact(tx, { run, name, mediaType: "text/plain", blob }));
}

/** Creates an incoming transaction of a wallet, as if it were on a chain. */
async function makeTransaction(api: Api, key: string): Promise<string> {
  const { body } = await api.send("POST", "/v1/wallets", { key, body: { label: "Another" } });
  const { id: walletId, address } = body.wallet;
  const id = newId("transaction");
  await api.platform.database.db.insert(walletTransactions).values({
    ...(await assignmentOf(api, key)),
    id,
    walletId,
    network: "eip155:31337",
    direction: "in",
    status: "confirmed",
    from: address,
    to: address,
    asset: "native",
    amount: "1",
  });
  return id;
}

/** Creates an import whose only part is uploaded, as in the example of its completion. */
async function makeTransfer(api: Api, key: string): Promise<string> {
  const id = newId("transfer");
  const { accountId } = await assignmentOf(api, key);
  const blob = await writeBlob(Readable.from([Buffer.from("test")]), { accountId, kind: "transfers" });
  const { key: blobKey, sizeBytes, sha256 } = blob;
  await api.platform.database.db.transaction(async (tx) => {
    await keepBlob(tx, blob);
    await tx.insert(databaseTransfers).values({
      accountId,
      id,
      direction: "import",
      status: "uploading",
      expiresAt: new Date(Date.now() + 60_000),
    });
    await tx
      .insert(databaseTransferParts)
      .values({ accountId, transferId: id, partNumber: 1, blobKey, sizeBytes, sha256 });
  });
  return id;
}

const SIDES = {
  from: { network: "eip155:31337", asset: "native", decimals: 18, amount: "1" },
  to: { network: "eip155:31337", asset: ADDRESS, decimals: 6, minimum: "2900" },
} as const;

/** Creates a swap that failed before it sent a transaction. */
async function makeSwap(api: Api, key: string): Promise<string> {
  const id = newId("swap");
  await api.platform.database.db.insert(swaps).values({
    ...(await assignmentOf(api, key)),
    id,
    walletId: newId("wallet"),
    quoteId: newId("quote"),
    status: "failed",
    from: SIDES.from,
    to: { ...SIDES.to, expected: "3000" },
    fees: [],
    callerType: "key",
    callerId: newUuid(),
    keyIds: [],
    requestId: newId("request"),
    heldCredits: 5,
  });
  return id;
}

/** Creates a route whose transactions are not sent. */
async function makeRoute(api: Api, key: string): Promise<string> {
  const id = newId("route");
  await api.platform.database.db.insert(swapRoutes).values({
    ...(await assignmentOf(api, key)),
    id,
    status: "expired",
    sender: ADDRESS,
    recipient: ADDRESS,
    ...SIDES,
    call: { to: ADDRESS, data: "0x", value: "0", gas: "21000" },
    nextBlock: 1,
    expiresAt: new Date(),
    endedAt: new Date(),
  });
  return id;
}

/** Creates an order that was rejected before it sent a transaction. */
async function makeOrder(api: Api, key: string): Promise<string> {
  const id = newId("order");
  await api.platform.database.db.insert(orders).values({
    ...(await assignmentOf(api, key)),
    id,
    walletId: newId("wallet"),
    quoteId: newId("quote"),
    symbol: "ETH-USD",
    network: "eip155:31337",
    base: "native",
    counter: ADDRESS,
    side: "buy",
    type: "limit",
    timeInForce: "gtc",
    quantity: "1",
    limitPrice: "3000",
    boundPrice: "3000",
    status: "rejected",
    updatedAt: new Date(),
    endedAt: new Date(),
  });
  return id;
}

/** Creates a quote that has just been given, of nothing in particular. */
async function makeQuote(api: Api, key: string): Promise<string> {
  const id = newId("quote");
  await api.platform.database.db.insert(quotes).values({
    ...(await assignmentOf(api, key)),
    id,
    kind: "transaction",
    walletId: newId("wallet"),
    shown: {},
    plan: {},
    expiresAt: new Date(Date.now() + 60_000),
  });
  return id;
}

/** Returns the account of a key, with the project and end user that it is bound to. */
async function assignmentOf(api: Api, key: string) {
  const hash = createHash("sha256").update(key).digest();
  const [row] = await api.platform.database.db.select().from(apiKeys).where(eq(apiKeys.hash, hash));
  const { accountId, projectId, endUserId } = defined(row);
  return { accountId, projectId, endUserId };
}

/** Parameters of resources that belong to the installation, with an existing value. */
const SHARED: Record<string, string> = { partNumber: "1", serviceId: "managed-memory" };

/** Returns the path parameters of an operation that name an account's resources. */
export function ownedParams({ path }: Operation): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].flatMap(([, name]) =>
    name === undefined || Object.hasOwn(SHARED, name) ? [] : [name],
  );
}

function kindOfParam(param: string): ResourceKind {
  const resource = RESOURCES[param];
  if (!resource) throw new Error(`server/testing/resources.ts cannot create the resource of {${param}}.`);
  return resource;
}

/** Returns an id of the parameter's kind that does not exist. */
export function missingId(param: string): string {
  return newId(kindOfParam(param).kind);
}

/** Creates the resource of a parameter, in the account of this key. */
export function createResource(api: Api, key: string, param: string): Promise<string> {
  return kindOfParam(param).make(api, key);
}

/** Returns the operation's path with these ids, nonexistent ids for others, and its required query parameters. */
export function pathOf(operation: Operation, ids: Record<string, string> = {}): string {
  const path = operation.path.replace(
    /\{(\w+)\}/g,
    (_, name: string) => ids[name] ?? SHARED[name] ?? missingId(name),
  );
  return `/v1${path}${requiredQuery(operation)}`;
}

/** Returns a path with additional query parameters. */
export const withQuery = (path: string, query: string): string =>
  `${path}${path.includes("?") ? "&" : "?"}${query}`;
