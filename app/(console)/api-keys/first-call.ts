/** A call that reads something, by the scope that it needs; the first that a key has is what it is tried with. */
const reads: [scope: string, path: string][] = [
  ["projects:read", "/projects"],
  ["services:read", "/services"],
  ["credits:read", "/credits/balance"],
  ["usage:read", "/usage"],
  ["audit:read", "/audit-events"],
  ["api_keys:manage", "/api-keys"],
  ["files:read", "/files"],
  ["connections:read", "/connections"],
  ["databases:read", "/databases/account"],
  ["wallets:read", "/wallets"],
  ["trading:read", "/trading/orders"],
  ["runs:read", "/runs"],
  ["approvals:read", "/approvals"],
  ["artifacts:read", "/artifacts"],
  ["webhooks:read", "/webhooks"],
];

/** A call to try a key with, by its scopes; one that may read nothing meets a refusal that names what it lacks. */
export function firstCall(scopes: readonly string[]): { method: "GET"; path: string } {
  const [, path] = reads.find(([scope]) => scopes.includes(scope)) ?? reads[0] ?? [];
  return { method: "GET", path: path ?? "/projects" };
}

/** A call that keeps something, and costs a credit; null for a key that may not make it. */
export function chargedCall(scopes: readonly string[]) {
  if (!scopes.includes("services:invoke")) return null;
  const body = { operationId: "put", input: { name: "first-call", content: "Hello from my backend." } };
  return { method: "POST", path: "/services/managed-memory/invoke", idempotent: true, body } as const;
}
