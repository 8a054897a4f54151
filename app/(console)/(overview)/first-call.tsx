"use client";

import { Step } from "#app/(console)/(overview)/step.tsx";
import { firstCall } from "#app/(console)/api-keys/first-call.ts";
import { useFreshSecret } from "#app/(console)/api-keys/fresh-secrets.ts";
import { curlOf, useOrigin } from "#components/curl.ts";
import { CodeBlock } from "#components/ui/code-block.tsx";
import { RelativeTime } from "#components/ui/time.tsx";
import type { ApiKey } from "#server/keys/schema.ts";

const PLACEHOLDER = "YOUR_API_KEY";

/** The third and fourth step: a call that works as pasted, and its arrival. */
export function FirstCall({ apiKey, usedAt }: { apiKey: ApiKey | undefined; usedAt: string | null }) {
  const seen = usedAt !== null;
  const origin = useOrigin();
  const fresh = useFreshSecret(apiKey?.id);
  const call = firstCall(apiKey?.scopes ?? []);
  const code = curlOf(origin, { ...call, idempotent: false, secret: fresh ?? PLACEHOLDER });
  return (
    <>
      <Step number={3} title="Call the API" done={seen} current={apiKey !== undefined && !seen}>
        {apiKey && !seen && (
          <>
            <p className="text-muted">
              {fresh
                ? `Paste it into a terminal. The secret of ${apiKey.label} is in it, until you reload this page.`
                : `Put the secret of ${apiKey.label} in place of ${PLACEHOLDER}, then paste it into a terminal.`}
            </p>
            <div className="w-full min-w-0 max-w-2xl">
              <CodeBlock label="First call" code={code} />
            </div>
          </>
        )}
      </Step>
      <Step number={4} title="See it arrive" done={seen} current={false}>
        <p role="status" className="text-muted">
          {seen ? (
            <>
              {apiKey?.label} was used <RelativeTime at={usedAt} />.
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
