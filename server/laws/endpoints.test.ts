import { expect, test } from "vitest";
import { selectorPatterns } from "#server/operation/access.ts";
import { SCOPE_NAMES } from "#server/operation/scopes.ts";
import { apiOperations } from "#server/operations.ts";
import { priceOf } from "#server/services/prices.ts";
import { openApiDocument } from "#server/transports/openapi/document.ts";

type Row = [
  method: string,
  path: string,
  scope: string | null,
  idempotent: "Idem" | null,
  limitOperation: string | null,
  /** The service whose boundary applies; `named` if the request names it. */
  service?: string,
];

/** The endpoints of the first specification, without `/mcp`, which is a transport. Customers rely on each of them. */
// biome-ignore format: a table
const SPECIFIED: Row[] = [
  ["GET", "/health", null, null, null],
  ["GET", "/openapi.json", null, null, null],
  ["GET", "/pricing", null, null, null],
  ["GET", "/api-keys", "api_keys:manage", null, "apiKeys.list"],
  ["POST", "/api-keys", "api_keys:manage", "Idem", "apiKeys.create"],
  ["DELETE", "/api-keys/{id}", "api_keys:manage", "Idem", "apiKeys.revoke"],
  ["GET", "/services", "services:read", null, "services.list"],
  ["GET", "/capabilities", "services:read", null, "capabilities.list"],
  ["GET", "/capabilities/{serviceId}", "services:read", null, "capabilities.list", "named"],
  ["GET", "/actions", "services:read", null, "actions.list"],
  ["POST", "/services/{serviceId}/invoke", "services:invoke", "Idem", "services.invoke", "named"],
  ["GET", "/credits/balance", "credits:read", null, "credits.balance.read"],
  ["POST", "/credits/x402/top-up", "credits:write", "Idem", "credits.x402.topUp"],
  ["GET", "/projects", "projects:read", null, "projects.list"],
  ["POST", "/projects", "projects:write", "Idem", "projects.create"],
  ["GET", "/projects/{projectId}", "projects:read", null, "projects.read"],
  ["PATCH", "/projects/{projectId}", "projects:write", "Idem", "projects.update"],
  ["DELETE", "/projects/{projectId}", "projects:write", "Idem", "projects.archive"],
  ["GET", "/usage", "usage:read", null, "usage.read"],
  ["GET", "/audit-events", "audit:read", null, "auditEvents.list"],
  ["GET", "/files", "files:read", null, "files.list"],
  ["POST", "/files", "files:write", "Idem", "files.create"],
  ["GET", "/files/{fileId}", "files:read", null, "files.read"],
  ["DELETE", "/files/{fileId}", "files:write", "Idem", "files.delete"],
  ["GET", "/connections", "connections:read", null, "connections.list"],
  ["POST", "/connections", "connections:write", "Idem", "connections.create"],
  ["GET", "/connections/{connectionId}", "connections:read", null, "connections.read"],
  ["PATCH", "/connections/{connectionId}", "connections:write", "Idem", "connections.update"],
  ["DELETE", "/connections/{connectionId}", "connections:write", "Idem", "connections.delete"],
  ["GET", "/databases/account", "databases:read", null, "databases.account.read", "managed-database"],
  ["POST", "/databases/account", "databases:write", "Idem", "databases.account.provision", "managed-database"],
  ["DELETE", "/databases/account", "databases:write", "Idem", "databases.account.deprovision", "managed-database"],
  ["POST", "/databases/query", "databases:read", null, "databases.query", "managed-database"],
  ["POST", "/databases/actions", "databases:write", "Idem", "databases.actions", "managed-database"],
  ["POST", "/databases/transfers", "databases:write", "Idem", "databases.transfers.create", "managed-database"],
  ["PUT", "/databases/transfers/{transferId}/parts/{partNumber}", "databases:write", "Idem", "databases.transfers.part.upload", "managed-database"],
  ["POST", "/databases/transfers/{transferId}/complete", "databases:write", "Idem", "databases.transfers.complete", "managed-database"],
  ["GET", "/databases/transfers/{transferId}/archive", "databases:read", null, "databases.transfers.archive", "managed-database"],
  ["GET", "/databases/transfers/{transferId}", "databases:read", null, "databases.transfers.read", "managed-database"],
  ["DELETE", "/databases/transfers/{transferId}", "databases:write", "Idem", "databases.transfers.cancel", "managed-database"],
  ["GET", "/wallets", "wallets:read", null, "wallets.list", "managed-wallets"],
  ["POST", "/wallets", "wallets:create", "Idem", "wallets.create", "managed-wallets"],
  ["GET", "/wallets/{walletId}", "wallets:read", null, "wallets.read", "managed-wallets"],
  ["GET", "/wallets/{walletId}/balances", "wallets:read", null, "wallets.balances.read", "managed-wallets"],
  ["PATCH", "/wallets/{walletId}/policy", "approvals:write", "Idem", "wallets.policy.update", "managed-wallets"],
  ["POST", "/wallets/{walletId}/transactions/quote", "wallets:transact", "Idem", "wallets.transactions.quote", "managed-wallets"],
  ["POST", "/wallets/{walletId}/transactions", "wallets:transact", "Idem", "wallets.transactions.create", "managed-wallets"],
  ["GET", "/wallets/{walletId}/transactions", "wallets:read", null, "wallets.transactions.list", "managed-wallets"],
  ["GET", "/wallets/{walletId}/transactions/{transactionId}", "wallets:read", null, "wallets.transactions.read", "managed-wallets"],
  ["POST", "/wallets/{walletId}/signatures/quote", "wallets:sign", "Idem", "wallets.signatures.quote", "managed-wallets"],
  ["POST", "/wallets/{walletId}/signatures", "wallets:sign", "Idem", "wallets.signatures.create", "managed-wallets"],
  ["POST", "/trading/quotes", "trading:execute", "Idem", "trading.quotes.create", "managed-trading"],
  ["POST", "/trading/orders", "trading:execute", "Idem", "trading.orders.create", "managed-trading"],
  ["GET", "/trading/orders", "trading:read", null, "trading.orders.list", "managed-trading"],
  ["GET", "/trading/orders/{orderId}", "trading:read", null, "trading.orders.read", "managed-trading"],
  ["GET", "/trading/positions", "trading:read", null, "trading.positions.list", "managed-trading"],
  ["GET", "/swaps/tokens", "wallets:read", null, "swaps.tokens.list", "universal-swaps"],
  ["POST", "/swaps/quote", "wallets:transact", "Idem", "swaps.quote", "universal-swaps"],
  ["POST", "/swaps", "wallets:transact", "Idem", "swaps.execute", "universal-swaps"],
  ["GET", "/swaps", "wallets:read", null, "swaps.list", "universal-swaps"],
  ["GET", "/swaps/{swapId}", "wallets:read", null, "swaps.read", "universal-swaps"],
  ["POST", "/swaps/prepare", "wallets:read", null, "swaps.prepare", "universal-swaps"],
  ["GET", "/swaps/routes/{routeId}", "wallets:read", null, "swaps.routes.read", "universal-swaps"],
  ["GET", "/runs", "runs:read", null, "runs.list"],
  ["POST", "/runs", "runs:write", "Idem", "runs.create", "named"],
  ["GET", "/runs/{runId}", "runs:read", null, "runs.read"],
  ["POST", "/runs/{runId}/cancel", "runs:write", "Idem", "runs.cancel"],
  ["GET", "/approvals", "approvals:read", null, "approvals.list"],
  ["POST", "/approvals/service-actions", "approvals:write", "Idem", "approvals.create", "named"],
  ["POST", "/approvals/{approvalId}", "approvals:write", "Idem", "approvals.decide"],
  ["GET", "/artifacts", "artifacts:read", null, "artifacts.list"],
  ["GET", "/artifacts/{artifactId}/content", "artifacts:read", null, "artifacts.content.read"],
  ["GET", "/webhooks", "webhooks:read", null, "webhooks.list"],
  ["POST", "/webhooks", "webhooks:write", "Idem", "webhooks.create"],
  ["PATCH", "/webhooks/{webhookId}", "webhooks:write", "Idem", "webhooks.update"],
  ["POST", "/webhooks/{webhookId}/rotate-secret", "webhooks:write", "Idem", "webhooks.rotate"],
  ["DELETE", "/webhooks/{webhookId}", "webhooks:write", "Idem", "webhooks.disable"],
  ["GET", "/webhook-deliveries", "webhooks:read", null, "webhookDeliveries.list"],
  ["POST", "/webhook-deliveries/{deliveryId}/replay", "webhooks:write", "Idem", "webhookDeliveries.replay"],
];

/** The endpoints that were added since. */
// biome-ignore format: a table
const ADDED: Row[] = [
  ["GET", "/api-keys/{id}", "api_keys:manage", null, "apiKeys.read"],
  ["GET", "/api-keys/current", "any", null, "apiKeys.current"],
  ["GET", "/credits/ledger", "credits:read", null, "credits.ledger.list"],
  ["POST", "/projects/{projectId}/restore", "projects:write", "Idem", "projects.restore"],
  ["POST", "/wallets/{walletId}/policy/simulate", "wallets:read", null, "wallets.policy.simulate", "managed-wallets"],
  ["POST", "/trading/orders/{orderId}/cancel", "trading:execute", "Idem", "trading.orders.cancel", "managed-trading"],
  ["GET", "/trading/markets", "trading:read", null, "trading.markets.list", "managed-trading"],
  ["GET", "/trading/prices", "trading:read", null, "trading.prices.list", "managed-trading"],
  ["GET", "/trading/depth", "trading:read", null, "trading.depth.read", "managed-trading"],
  ["POST", "/runs/{runId}/retry", "runs:write", "Idem", "runs.retry"],
  ["POST", "/runs/{runId}/forget", "runs:write", "Idem", "runs.forget"],
  ["POST", "/runs/{runId}/steps/test", "runs:read", null, "runs.steps.test"],
  ["GET", "/runs/{runId}/events", "runs:read", null, "runs.read"],
  ["GET", "/events", "webhooks:read", null, "events.follow"],
  ["POST", "/runs/batch", "runs:write", "Idem", "runs.batch"],
  ["POST", "/runs/bulk", "runs:write", "Idem", "runs.bulk"],
  ["GET", "/approvals/{approvalId}", "approvals:read", null, "approvals.read"],
  ["GET", "/webhooks/{webhookId}", "webhooks:read", null, "webhooks.read"],
  ["POST", "/webhooks/{webhookId}/test", "webhooks:write", "Idem", "webhooks.test"],
  ["GET", "/webhooks/{webhookId}/missed", "webhooks:read", null, "webhooks.missed.read"],
  ["POST", "/webhooks/{webhookId}/recover", "webhooks:write", "Idem", "webhooks.recover"],
  ["GET", "/webhook-deliveries/{deliveryId}", "webhooks:read", null, "webhookDeliveries.read"],
];
const ROWS = [...SPECIFIED, ...ADDED];

const keyOf = (row: readonly [method: string, path: string, ...rest: unknown[]]) => `${row[0]} ${row[1]}`;

test("the specification has 80 endpoints, the MCP transport among them", () => {
  expect(new Set(SPECIFIED.map(keyOf)).size).toBe(79);
});

test("the endpoints are those of the specification and the additions, and no others", () => {
  const paths = Object.entries(openApiDocument(apiOperations, "").paths);
  const found = paths.flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(found.sort()).toEqual(ROWS.map(keyOf).sort());
});

test("each operation has the scope, idempotency, limit operation and service of its row", () => {
  const rows = apiOperations.map(({ method, path, scope, idempotent, id, service }) => [
    method,
    path,
    scope,
    idempotent ? "Idem" : null,
    scope === null ? null : id,
    typeof service === "function" ? "named" : service,
  ]);
  const expected = ROWS.filter((row) => row[1] !== "/openapi.json").map((row) =>
    [...row, row[5]].slice(0, 6),
  );
  expect(rows.sort()).toEqual(expected.sort());
});

test("the operations that name a service have its dynamic selectors", () => {
  const dynamic = apiOperations.filter((operation) => operation.usesServices);
  for (const operation of dynamic)
    expect(selectorPatterns(operation)).toEqual([
      operation.id,
      `${operation.id}.<serviceId>`,
      `${operation.id}.<serviceId>.<operationId>`,
    ]);
  const named = ["services.invoke", "runs.create"];
  expect(dynamic.map((operation) => operation.id)).toEqual(
    named.filter((id) => apiOperations.some((operation) => operation.id === id)),
  );
});

test("each charged operation has its price in the catalogue, under its own name", () => {
  const unpriced = apiOperations.filter(
    ({ metered, service, operationId }) =>
      metered && typeof service === "string" && priceOf(service, operationId).credits === 0,
  );
  expect(unpriced.map(({ operationId }) => operationId)).toEqual([]);
});

test("the specification's limit operations are those of its endpoints", () => {
  expect([...new Set(SPECIFIED.flatMap((row) => row[4] ?? []))].sort()).toEqual([...LIMIT_OPERATIONS].sort());
});

test("the scopes are the 28 of the specification", () => {
  expect(SCOPE_NAMES).toHaveLength(28);
  expect([...new Set(SPECIFIED.flatMap((row) => row[2] ?? []))].sort()).toEqual([...SCOPE_NAMES].sort());
});

/** The operations that keys can be limited in, by the specification. */
const LIMIT_OPERATIONS = `
  services.list capabilities.list actions.list services.invoke credits.balance.read credits.x402.topUp
  projects.list projects.create projects.read projects.update projects.archive usage.read auditEvents.list
  files.list files.create files.read files.delete connections.list connections.create connections.read
  connections.update connections.delete apiKeys.list apiKeys.create apiKeys.revoke databases.account.read
  databases.account.provision databases.account.deprovision databases.query databases.actions
  databases.transfers.create databases.transfers.part.upload databases.transfers.complete
  databases.transfers.archive databases.transfers.read databases.transfers.cancel wallets.list
  wallets.create wallets.read wallets.balances.read wallets.policy.update wallets.transactions.quote
  wallets.transactions.create wallets.transactions.list wallets.transactions.read wallets.signatures.quote
  wallets.signatures.create trading.quotes.create trading.orders.create trading.orders.list
  trading.orders.read trading.positions.list swaps.tokens.list swaps.quote swaps.prepare swaps.execute
  swaps.list swaps.read swaps.routes.read runs.list runs.create runs.read runs.cancel approvals.list
  approvals.create approvals.decide artifacts.list artifacts.content.read webhooks.list webhooks.create
  webhooks.update webhooks.rotate webhooks.disable webhookDeliveries.list webhookDeliveries.replay
`
  .trim()
  .split(/\s+/);
