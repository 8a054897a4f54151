"use client";

import { Check, Copy } from "lucide-react";
import type { ReactNode } from "react";
import { firstCall } from "#app/(console)/api-keys/first-call.ts";
import { keepSecret } from "#app/(console)/api-keys/fresh-secrets.ts";
import { curlOf, useOrigin } from "#components/curl.ts";
import { Button } from "#components/ui/button.tsx";
import { CodeBlock } from "#components/ui/code-block.tsx";
import { useCopy } from "#components/ui/copyable.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import type { ApiKey } from "#server/keys/schema.ts";

/** Shows a new key's secret, this once; it closes by its own button only. */
export function SecretDialog({
  made: { apiKey, secret },
  next,
  onDone,
}: {
  made: { apiKey: ApiKey; secret: string };
  /** What to do after storing it. */
  next?: ReactNode;
  onDone: () => void;
}) {
  const { copied, copy } = useCopy(secret);
  function close() {
    keepSecret(apiKey.id, secret);
    onDone();
  }
  const call = curlOf(useOrigin(), { ...firstCall(apiKey.scopes), idempotent: false });
  return (
    <Dialog
      open
      persistent
      onOpenChange={close}
      title={`The secret of “${apiKey.label}”`}
      description="It is shown this once. Store it where your backend reads its secrets; nobody, not even we, can show it again."
      footer={
        <Button variant="primary" onClick={close}>
          I have stored it
        </Button>
      }
    >
      <div className="flex flex-col gap-2 rounded-md border border-line-strong bg-sunken p-3">
        <code className="break-all font-mono text-13">{secret}</code>
        <Button className="self-start" onClick={copy}>
          {copied ? (
            <Check aria-hidden className="size-4 text-ok" />
          ) : (
            <Copy aria-hidden className="size-4" />
          )}
          {copied ? "Copied" : "Copy secret"}
        </Button>
      </div>
      {next}
      <CodeBlock label="A first call, with the secret in API_KEY" code={call} />
    </Dialog>
  );
}
