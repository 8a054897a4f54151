import type { KeyAccess } from "#server/keys/access/schema.ts";

const DAY_MS = 86_400_000;
/** A clock of the browser's that is a little ahead still stays within the server's. */
const SLACK_MS = 60_000;

/** How a boundary is given: none, only these, or all but these. */
export type Boundary = { mode: "any" | "allowed" | "excluded"; names: string[] };

export type LimitKind = "requestsPerMinute" | "maxConcurrent" | "creditsPerDay";
export type LimitRow = { row: number; selector: string; kind: LimitKind; value: number | null };

/** The form's values; those that go out as they are have the names of the body's fields. */
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

/** The longest that a key with these scopes may live, in days, and the scope that makes it short. */
export function longestLife(all: KeyAccess["scopes"], chosen: readonly string[]) {
  const days = Math.max(...all.map(({ longestDays }) => longestDays));
  const short = all.find(({ scope, longestDays }) => chosen.includes(scope) && longestDays < days);
  return { days: short?.longestDays ?? days, otherwise: days, because: short?.scope ?? null };
}

/** The body of `apiKeys.create` that the values stand for. */
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

/** The chosen expiry; without one the platform gives 30 days. */
export function expiryOf({ lifetime, expiresAt }: Pick<KeyValues, "lifetime" | "expiresAt">): {
  expiresAt?: string | null;
} {
  if (lifetime === "default") return {};
  // A date that was announced and not given is a fault that the form names.
  if (lifetime === "date") return { expiresAt };
  return { expiresAt: new Date(Date.now() + Number(lifetime) * DAY_MS - SLACK_MS).toISOString() };
}

function limitsOf(rows: readonly LimitRow[]) {
  const limits: Record<string, Record<string, number | null>> = {};
  for (const { selector, kind, value } of rows) limits[selector] = { ...limits[selector], [kind]: value };
  return limits;
}
