import { defined } from "#server/base/defined.ts";

/** Describes a key's scopes in a word or two: `Read-only`, `Wallets`, `5 scopes`. */
export function scopesWord(scopes: readonly string[]): string {
  if (scopes.length === 0) return "None";
  if (scopes.length === 1) return defined(scopes[0]);
  if (scopes.every((scope) => scope.endsWith(":read"))) return "Read-only";
  const resources = [...new Set(scopes.map((scope) => defined(scope.split(":")[0])))];
  if (resources.length === 1) return wordOf(defined(resources[0]));
  if (scopes.includes("api_keys:manage") && scopes.includes("wallets:transact")) return "Everything";
  return `${scopes.length} scopes`;
}

function wordOf(resource: string): string {
  const words = resource.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
