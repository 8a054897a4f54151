/** Calls that read something, by the scope they need; a key is tried with the first one that it may make. */
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

/** Returns a call to try a key with. For a key that may read nothing, the refusal names the missing scope. */
export function firstCall(scopes: readonly string[]): { method: "GET"; path: string } {
  const [, path] = reads.find(([scope]) => scopes.includes(scope)) ?? reads[0] ?? [];
  return { method: "GET", path: path ?? "/projects" };
}

/** Returns a call that stores something and costs a credit; null if the key may not make it. */
export function chargedCall(scopes: readonly string[]) {
  if (!scopes.includes("services:invoke")) return null;
  const body = { operationId: "put", input: { name: "first-call", content: "Hello from my backend." } };
  return { method: "POST", path: "/services/managed-memory/invoke", idempotent: true, body } as const;
}
