import { Check, Minus, X } from "lucide-react";
import { answerOf } from "#app/(console)/audit/columns.tsx";
import { routes } from "#components/routes.ts";
import { cn } from "#components/ui/cn.ts";
import { inDigits } from "#components/ui/digits.ts";
import { TextLink } from "#components/ui/link.tsx";
import { Status } from "#components/ui/status.tsx";
import { useNames } from "#components/use-names.ts";
import type { AuditEvent, AuditRefusal } from "#server/audit/schema.ts";

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
export function AuditChecks({
  event,
  meaning,
  refusal,
}: {
  event: AuditEvent;
  meaning: string | null;
  refusal: AuditRefusal | null;
}) {
  const named = checks.findIndex(({ codes }) => codes.includes(event.errorCode ?? ""));
  const refusedAt = event.outcome === "allowed" ? checks.length : named >= 0 ? named : checks.length - 1;
  return (
    <div className="flex flex-col gap-3">
      <p className="flex flex-wrap items-center gap-2">
        <Status value={event.outcome} />
        <span className="font-mono text-13">{answerOf(event)}</span>
      </p>
      {meaning && <p>{meaning}</p>}
      {refusal && <Refusal refusal={refusal} />}
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

const limitWords = {
  requestsPerMinute: "calls in 60 seconds",
  maxConcurrent: "at a time",
  creditsPerDay: "credits a day",
};

/** The key that refused, and the limit where it was one. */
function Refusal({ refusal: { keyId, limit } }: { refusal: AuditRefusal }) {
  const name = useNames([keyId]).get(keyId ?? "");
  if (keyId === null && limit === null) return null;
  return (
    <p>
      {keyId ? <TextLink href={routes.apiKeys.read(keyId)}>{name ?? keyId}</TextLink> : "The account"}{" "}
      {limit ? (
        <>
          allows {inDigits(limit.limit)} {limitWords[limit.kind]} on{" "}
          <code className="font-mono text-13">{limit.operation}</code>.
        </>
      ) : (
        "refused it."
      )}
    </p>
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
