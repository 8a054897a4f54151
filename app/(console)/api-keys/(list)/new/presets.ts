import type { KeyAccess } from "#server/keys/schema.ts";

type Given = KeyAccess["scopes"][number];

/** What a backend that only uses the platform has no need of. */
const notForBackends: string[] = ["api_keys:manage", "credits:write"];
const LONG_DAYS = 365;

/** Sets of scopes to start from. */
export const presets: { label: string; has: (given: Given) => boolean }[] = [
  { label: "Read-only", has: ({ scope }) => scope.endsWith(":read") },
  {
    label: "Backend",
    // What moves money or decides also shortens a key's life.
    has: ({ scope, longestDays }) => longestDays === LONG_DAYS && !notForBackends.includes(scope),
  },
  { label: "Everything", has: () => true },
  { label: "None", has: () => false },
];
