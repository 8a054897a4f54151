import { type Scope, SHORT_LIVED_SCOPES } from "#server/operation/scopes.ts";

/** What a backend that only uses the platform has no need of: keys below it, payments, and what shortens its life. */
const NOT_FOR_BACKENDS: readonly Scope[] = ["api_keys:manage", "credits:write", ...SHORT_LIVED_SCOPES];

/** Sets of scopes to start from. */
export const presets: { label: string; has: (scope: Scope) => boolean }[] = [
  { label: "Read-only", has: (scope) => scope.endsWith(":read") },
  { label: "Backend", has: (scope) => !NOT_FOR_BACKENDS.includes(scope) },
  { label: "Everything", has: () => true },
  { label: "None", has: () => false },
];
