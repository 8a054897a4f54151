"use client";

import type { ReactNode } from "react";
import { firstCall } from "#app/(console)/api-keys/first-call.ts";
import { keepSecret } from "#app/(console)/api-keys/fresh-secrets.ts";
import { curlOf, useOrigin } from "#components/curl.ts";
import { CodeBlock } from "#components/ui/code-block.tsx";
import { ShownOnce } from "#components/ui/shown-once.tsx";
import type { ApiKey } from "#server/keys/schema.ts";

/** Shows a new key's secret, with a first call to try it. */
export function SecretDialog({
  made: { apiKey, secret },
  next,
  onDone,
}: {
  made: { apiKey: ApiKey; secret: string };
  /** Shown after the secret is stored. */
  next?: ReactNode;
  onDone: () => void;
}) {
  function close() {
    keepSecret(apiKey.id, secret);
    onDone();
  }
  const call = curlOf(useOrigin(), { ...firstCall(apiKey.scopes), idempotent: false });
  return (
    <ShownOnce title={`The secret of “${apiKey.label}”`} secret={secret} onDone={close}>
      {next}
      <CodeBlock label="A first call, with the secret in API_KEY" code={call} />
    </ShownOnce>
  );
}
