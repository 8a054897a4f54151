import { Check, Minus, X } from "lucide-react";
import { answerOf } from "#app/(console)/audit/columns.tsx";
import { routes } from "#components/routes.ts";
import { cn } from "#components/ui/cn.ts";
import { inDigits } from "#components/ui/digits.ts";
import { TextLink } from "#components/ui/link.tsx";
import { Status } from "#components/ui/status.tsx";
import { useNames } from "#components/use-names.ts";
import type { AuditCheck, AuditEvent, AuditRefusal } from "#server/audit/schema.ts";

const names: Record<AuditCheck["check"], string> = {
  credential: "Credential",
  scope: "Scope",
  service: "Service access",
  operation: "Operation access",
  limit: "Limits",
  call: "The call itself",
};

/** Shows how a request ended, and each of its checks with the key, the requested access and the value. */
export function AuditChecks({
  event,
  checks,
  meaning,
  refusal,
  replayOf,
}: {
  event: AuditEvent;
  checks: readonly AuditCheck[];
  meaning: string | null;
  refusal: AuditRefusal | null;
  replayOf: string | null;
}) {
  const keyNames = useNames(checks.map(({ keyId }) => keyId));
  return (
    <div className="flex flex-col gap-3">
      <p className="flex flex-wrap items-center gap-2">
        <Status value={event.outcome} />
        <span className="font-mono text-13">{answerOf(event)}</span>
      </p>
      {meaning && <p>{meaning}</p>}
      {refusal && <Refusal refusal={refusal} />}
      {replayOf && (
        <p>
          A replay: it got the answer of an{" "}
          <TextLink href={routes.audit({ requestId: replayOf })}>earlier request</TextLink> with the same
          idempotency key, and nothing was done again.
        </p>
      )}
      <ol aria-label="Checks" className="flex flex-col gap-1">
        {checks.map((check) => (
          <Step
            key={`${check.check} ${check.keyId} ${check.asked} ${check.limit?.kind}`}
            check={check}
            keyName={keyNames.get(check.keyId ?? "")}
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

/** Shows the key that refused the request, and the limit if a limit refused it. */
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
  passed: { icon: Check, className: "text-ok", word: "passed" },
  refused: { icon: X, className: "text-bad", word: "refused" },
  not_reached: { icon: Minus, className: "text-faint", word: "not reached" },
};

function Step({ check, keyName }: { check: AuditCheck; keyName: string | undefined }) {
  const { icon: Icon, className, word } = looks[check.outcome];
  const { keyId, asked, limit } = check;
  return (
    <li className="flex items-start gap-2 text-13 max-sm:flex-wrap max-sm:gap-y-0">
      <Icon aria-hidden className={cn("mt-0.5 size-4 shrink-0", className)} />
      <span className={cn("sm:w-32 sm:shrink-0", check.outcome === "not_reached" && "text-muted")}>
        {names[check.check]}
      </span>
      <span className="flex min-w-0 flex-1 flex-wrap gap-x-2 text-muted max-sm:order-last max-sm:basis-full max-sm:pl-6">
        {asked && <code className="break-all font-mono text-ink">{asked}</code>}
        {limit && <span>{usedOf(limit)}</span>}
        {check.check === "limit" && !limit && <span>none covers it</span>}
        {keyId && <span className="break-all">{keyName ?? keyId}</span>}
      </span>
      <span
        className={cn(
          "ml-auto shrink-0 text-12",
          check.outcome === "refused" ? "font-medium text-bad" : "text-muted",
        )}
      >
        {word}
      </span>
    </li>
  );
}

/** Returns a limit's use in words: `3 of 10 calls in 60 seconds`. */
function usedOf({ kind, limit, used }: NonNullable<AuditCheck["limit"]>): string {
  return `${used === null ? "at most" : `${inDigits(used)} of`} ${inDigits(limit)} ${limitWords[kind]}`;
}
