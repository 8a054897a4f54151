export const filterNames = [
  "operation",
  "outcome",
  "keyId",
  "from",
  "to",
  "requestId",
  "consoleReads",
] as const;

export type AuditFilters = Record<(typeof filterNames)[number], string>;

const PAGE = 50;

/** What the list asks for. What people only looked at here is left out, unless it or just that is asked for. */
export function auditQuery(filters: AuditFilters, cursor?: string) {
  const { outcome, consoleReads, ...others } = filters;
  const asked = consoleReads === "on" || filters.requestId !== "" || filters.operation !== "";
  const set = Object.fromEntries(Object.entries(others).filter(([, value]) => value !== ""));
  return {
    limit: PAGE,
    ...set,
    ...(isOutcome(outcome) && { outcome }),
    consoleReads: asked ? ("include" as const) : ("exclude" as const),
    ...(cursor && { cursor }),
  };
}

export const outcomes = [
  { value: "allowed", label: "Allowed" },
  { value: "denied", label: "Denied" },
  { value: "error", label: "Error" },
] as const;

function isOutcome(text: string): text is (typeof outcomes)[number]["value"] {
  return outcomes.some(({ value }) => value === text);
}
