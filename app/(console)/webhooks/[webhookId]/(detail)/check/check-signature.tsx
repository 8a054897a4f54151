"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { isSignedWith } from "#app/(console)/webhooks/[webhookId]/(detail)/check/is-signed-with.ts";
import { SideModalForm } from "#components/form/side-modal-form.tsx";
import { TextareaField, TextField } from "#components/form/text-fields.tsx";
import { useForm } from "#components/form/use-form.ts";
import { routes } from "#components/routes.ts";
import { useTRPC } from "#components/trpc.tsx";
import type { SignatureCheck } from "#server/webhooks/schema.ts";

const verdicts = new Map([
  [true, { word: "passed", colour: "text-ok" }],
  [false, { word: "failed", colour: "text-bad" }],
]);
const unknown = { word: "unknown", colour: "text-muted" };

/** Checks whether the signature of a received delivery is valid and, if not, says why. */
export function CheckSignature({ webhookId }: { webhookId: string }) {
  const trpc = useTRPC();
  const check = useMutation(trpc.webhooks.signature.check.mutationOptions());
  const [own, setOwn] = useState<boolean | null>(null);
  const form = useForm({
    schema: () => import("#server/webhooks/schema.ts").then(({ CheckSignature }) => CheckSignature),
    initial: { headers: "", body: "", secret: "" },
    // The secret is never sent: the browser itself checks whether it made the signature.
    toInput: ({ headers, body }) => ({ headers, body }),
  });
  const { secret } = form.values;

  async function look(delivery: { headers: string; body: string }) {
    setOwn(secret ? await isSignedWith(secret, delivery).catch(() => false) : null);
    check.mutate({ webhookId, ...delivery });
  }
  return (
    <SideModalForm
      title="Check signature"
      description="Paste a delivery as your endpoint got it. Nothing of it is kept."
      parent={routes.webhooks.read(webhookId)}
      submitLabel="Check"
      wide
      form={form}
      pending={check.isPending}
      error={check.error}
      failed="The delivery was not checked."
      onSubmit={look}
    >
      <TextareaField
        label="Headers"
        hint="One per line: X-Service-Signature, or webhook-id, webhook-timestamp and webhook-signature."
        rows={5}
        spellCheck={false}
        {...form.field("headers")}
      />
      <TextareaField
        label="Body"
        hint="The bytes as they came, before anything parsed them."
        rows={6}
        spellCheck={false}
        {...form.field("body")}
      />
      <TextField
        label="Secret"
        optional
        hint="The secret that your endpoint uses. It never leaves this page."
        autoComplete="off"
        spellCheck={false}
        {...form.field("secret")}
      />
      <div role="status">{check.data && <Verdict {...withOwn(check.data, own)} />}</div>
    </SideModalForm>
  );
}

interface Found {
  valid: boolean;
  checks: (Omit<SignatureCheck, "check"> & { check: string })[];
}

/** Adds the browser's check with the endpoint's secret to the platform's result. */
function withOwn(found: Found, passed: boolean | null): Found {
  if (passed === null) return found;
  const message = passed ? "It makes this signature." : "It does not make this signature.";
  return {
    valid: found.valid && passed,
    checks: [...found.checks, { check: "your secret", passed, message }],
  };
}

function Verdict({ valid, checks }: Found) {
  return (
    <>
      <p className={`font-semibold ${valid ? "text-ok" : "text-bad"}`}>
        {valid ? "Your endpoint should believe it." : "Your endpoint should refuse it."}
      </p>
      <ul className="mt-2 flex flex-col divide-y rounded-md border text-13">
        {checks.map(({ check: what, passed, message }) => {
          const { word, colour } = verdicts.get(passed as boolean) ?? unknown;
          return (
            <li key={what} className="px-3 py-2">
              <p>
                <span className="font-medium capitalize">{what}</span> <span className={colour}>{word}</span>
              </p>
              <p className="break-words text-muted">{message}</p>
            </li>
          );
        })}
      </ul>
    </>
  );
}
