"use client";

import { useQuery } from "@tanstack/react-query";
import { Step } from "#app/(console)/(overview)/step.tsx";
import { chargedCall, firstCall } from "#app/(console)/api-keys/first-call.ts";
import { useFreshSecret } from "#app/(console)/api-keys/fresh-secrets.ts";
import { curlOf, useOrigin } from "#components/curl.ts";
import { routes } from "#components/routes.ts";
import { useTRPC } from "#components/trpc.tsx";
import { Credits } from "#components/ui/amount.tsx";
import { CodeBlock } from "#components/ui/code-block.tsx";
import { TextLink } from "#components/ui/link.tsx";
import { plainName } from "#components/ui/plain-name.ts";
import { RelativeTime } from "#components/ui/time.tsx";
import type { AuditEvent } from "#server/audit/schema.ts";
import type { ApiKey } from "#server/keys/schema.ts";

const PLACEHOLDER = "YOUR_API_KEY";

/** The third and fourth step: a call to copy, and its arrival. A refused call is shown, but completes neither step. */
export function FirstCall({
  apiKey,
  answered,
  refusal,
}: {
  apiKey: ApiKey | undefined;
  /** The key's newest successful request. */
  answered: AuditEvent | undefined;
  /** The key's newest refused request, if none succeeded. */
  refusal: AuditEvent | undefined;
}) {
  const hasArrived = answered !== undefined;
  const origin = useOrigin();
  const fresh = useFreshSecret(apiKey?.id);
  const { data, isPending } = useQuery(useTRPC().credits.balance.read.queryOptions());
  const charged = data && data.balance.availableCredits > 0 && chargedCall(apiKey?.scopes ?? []);
  const call = charged || { ...firstCall(apiKey?.scopes ?? []), idempotent: false };
  const code = curlOf(origin, { ...call, secret: fresh ?? PLACEHOLDER });
  return (
    <>
      <Step number={3} title="Call the API" done={hasArrived} current={apiKey !== undefined && !hasArrived}>
        {apiKey && !hasArrived && !isPending && (
          <>
            <p className="text-muted">
              {fresh
                ? `Paste it into a terminal. The secret of ${plainName(apiKey.label)} is in it, until you reload this page.`
                : `Put the secret of ${plainName(apiKey.label)} in place of ${PLACEHOLDER}, then paste it into a terminal.`}
              {charged && " It keeps a short text in managed memory and costs 1 credit."}
            </p>
            <div className="w-full min-w-0 max-w-2xl">
              <CodeBlock label="First call" code={code} />
            </div>
          </>
        )}
      </Step>
      <Step number={4} title="See it arrive" done={hasArrived} current={false}>
        <p role="status" className="text-muted">
          {hasArrived ? (
            <>
              {apiKey?.label} was used <RelativeTime at={answered.at} />:{" "}
              <TextLink href={routes.auditEvent(answered.id)}>{answered.operation}</TextLink>, charged{" "}
              <Credits value={answered.chargedCredits} />.
            </>
          ) : refusal ? (
            <>
              A request arrived <RelativeTime at={refusal.at} /> and was refused with{" "}
              <TextLink href={routes.auditEvent(refusal.id)}>{refusal.errorCode ?? refusal.status}</TextLink>.{" "}
              {refusal.errorCode === "scope_missing"
                ? `${apiKey?.label} lacks the scope: create a key that has it.`
                : "Waiting for one that is answered."}
            </>
          ) : apiKey ? (
            "Waiting for the first request. This page shows it at once."
          ) : (
            "The first request shows up here."
          )}
        </p>
      </Step>
    </>
  );
}
