import { DAY_MS } from "#server/base/durations.ts";
import type { KeyAccess } from "#server/keys/access/schema.ts";

/** Tolerates a browser's clock that is a little ahead of the server's. */
const SLACK_MS = 60_000;

/** A boundary: none, only these names, or all but these. */
export type Boundary = { mode: "any" | "allowed" | "excluded"; names: string[] };

export type LimitKind = "requestsPerMinute" | "maxConcurrent" | "creditsPerDay";
export type LimitRow = { row: number; selector: string; kind: LimitKind; value: number | null };

/** The form's values; those that are sent unchanged have the names of the body's fields. */
export type KeyValues = {
  label: string;
  scopes: string[];
  services: Boundary;
  operations: Boundary;
  limits: LimitRow[];
  lifetime: string;
  expiresAt: string | null;
  projectId: string;
  endUser: string;
  privacyTier: string;
};

export const emptyKey: KeyValues = {
  label: "",
  scopes: [],
  services: { mode: "any", names: [] },
  operations: { mode: "any", names: [] },
  limits: [],
  lifetime: "default",
  expiresAt: null,
  projectId: "",
  endUser: "",
  privacyTier: "",
};

/** Returns the longest lifetime of a key with these scopes, in days, and the scope that limits it. */
export function longestLife(all: KeyAccess["scopes"], chosen: readonly string[]) {
  const days = Math.max(...all.map(({ longestDays }) => longestDays));
  const short = all.find(({ scope, longestDays }) => chosen.includes(scope) && longestDays < days);
  return { days: short?.longestDays ?? days, otherwise: days, because: short?.scope ?? null };
}

/** Converts the values to the body of `apiKeys.create`. */
export function bodyOf(values: KeyValues) {
  const { label, scopes, services, operations, projectId, endUser, privacyTier } = values;
  return {
    label,
    scopes,
    ...boundaryOf("Services", services),
    ...boundaryOf("Operations", operations),
    ...(values.limits.length > 0 && { limits: limitsOf(values.limits) }),
    ...expiryOf(values),
    ...(projectId && { projectId }),
    ...(endUser && { endUser }),
    ...(privacyTier && { privacyTier }),
  };
}

function boundaryOf(of: "Services" | "Operations", { mode, names }: Boundary) {
  return mode === "any" ? {} : { [`${mode}${of}`]: names };
}

/** Returns the chosen expiry; without one the platform uses 30 days. */
export function expiryOf({ lifetime, expiresAt }: Pick<KeyValues, "lifetime" | "expiresAt">): {
  expiresAt?: string | null;
} {
  if (lifetime === "default") return {};
  // An empty date is sent as it is, so that the form reports it as a fault.
  if (lifetime === "date") return { expiresAt };
  return { expiresAt: new Date(Date.now() + Number(lifetime) * DAY_MS - SLACK_MS).toISOString() };
}

function limitsOf(rows: readonly LimitRow[]) {
  const limits: Record<string, Record<string, number | null>> = {};
  for (const { selector, kind, value } of rows) limits[selector] = { ...limits[selector], [kind]: value };
  return limits;
}
