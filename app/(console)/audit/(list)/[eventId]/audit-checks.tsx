import { Check, Minus, X } from "lucide-react";
import { answerOf } from "#app/(console)/audit/columns.tsx";
import { cn } from "#components/ui/cn.ts";
import { Status } from "#components/ui/status.tsx";
import type { AuditEvent } from "#server/audit/schema.ts";

/** The checks in the order of judgement, and the error codes by which each refuses. */
const checks: { name: string; codes: string[] }[] = [
  {
    name: "Credential",
    codes: [
      "unauthenticated",
      "api_key_expired",
      "api_key_revoked",
      "ancestor_expired",
      "ancestor_revoked",
      "credit_token_invalid",
    ],
  },
  { name: "Scope", codes: ["scope_missing"] },
  { name: "Service access", codes: ["service_not_allowed"] },
  { name: "Operation access", codes: ["operation_not_allowed"] },
  { name: "Limits", codes: ["limit_exhausted"] },
  { name: "The call itself", codes: [] },
];

/** How a request ended, and at which of the checks. */
export function AuditChecks({ event, meaning }: { event: AuditEvent; meaning: string | null }) {
  const named = checks.findIndex(({ codes }) => codes.includes(event.errorCode ?? ""));
  const refusedAt = event.outcome === "allowed" ? checks.length : named >= 0 ? named : checks.length - 1;
  return (
    <div className="flex flex-col gap-3">
      <p className="flex flex-wrap items-center gap-2">
        <Status value={event.outcome} />
        <span className="font-mono text-13">{answerOf(event)}</span>
      </p>
      {meaning && <p>{meaning}</p>}
      <ol aria-label="Checks" className="flex flex-col gap-1">
        {checks.map(({ name }, index) => (
          <Step
            key={name}
            name={name}
            state={index < refusedAt ? "passed" : index === refusedAt ? "refused" : "not reached"}
          />
        ))}
      </ol>
    </div>
  );
}

const looks = {
  passed: { icon: Check, className: "text-ok" },
  refused: { icon: X, className: "text-bad" },
  "not reached": { icon: Minus, className: "text-faint" },
};

function Step({ name, state }: { name: string; state: keyof typeof looks }) {
  const { icon: Icon, className } = looks[state];
  return (
    <li className="flex items-center gap-2 text-13">
      <Icon aria-hidden className={cn("size-4 shrink-0", className)} />
      <span className={state === "not reached" ? "text-muted" : undefined}>{name}</span>
      <span className={cn("text-12", state === "refused" ? "font-medium text-bad" : "text-muted")}>
        {state}
      </span>
    </li>
  );
}
