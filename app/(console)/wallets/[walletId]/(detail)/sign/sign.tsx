"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { QuotedForm } from "#app/(console)/_quote/quoted-form.tsx";
import { TextareaField } from "#components/form/text-fields.tsx";
import { useForm } from "#components/form/use-form.ts";
import { routes } from "#components/routes.ts";
import { useTRPC } from "#components/trpc.tsx";
import { CodeBlock } from "#components/ui/code-block.tsx";
import { Segments } from "#components/ui/segments.tsx";
import { SideModal } from "#components/ui/side-modal.tsx";

const kinds = [
  { value: "message", label: "Message" },
  { value: "typed_data", label: "Typed data" },
];

/** Signs a message or typed data in two steps: its meaning with the policy's decision, then the signature. */
export function Sign({ walletId }: { walletId: string }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const parent = routes.wallets.read(walletId);
  const quote = useMutation(trpc.wallets.signatures.quote.mutationOptions());
  const sign = useMutation(
    trpc.wallets.signatures.create.mutationOptions({
      onSuccess: () => queries.invalidateQueries(trpc.approvals.pathFilter()),
    }),
  );
  const form = useForm({
    schema: () => import("#server/wallets/signatures/schema.ts").then(({ QuoteSignature }) => QuoteSignature),
    initial: { kind: "message", text: "" },
    toInput: ({ kind, text }) =>
      kind === "message" ? { kind, message: text } : { kind, typedData: parsed(text) },
  });

  const signature = sign.data?.signature;
  if (signature)
    return (
      <SideModal title="Sign" parent={parent}>
        {signature.signature ? (
          <CodeBlock label="Signature" code={signature.signature} />
        ) : (
          <p>
            It waits for an approval. Once that is given, the same request answers the signature, and webhooks
            get it.
          </p>
        )}
      </SideModal>
    );
  return (
    <QuotedForm
      title="Sign"
      parent={parent}
      form={form}
      quote={quote}
      onSubmit={(input) => quote.mutate({ walletId, ...input })}
      what={({ kind }) => (kind === "message" ? "Sign a message." : "Sign typed data.")}
      verb={() => "Sign now"}
      action={sign}
      onAction={(quoteId) => sign.mutate({ walletId, quoteId })}
      failed="Nothing was signed."
    >
      <Segments
        label="Kind"
        options={kinds}
        value={form.values.kind}
        onChange={(kind) => form.set({ kind })}
      />
      <TextareaField
        label={form.values.kind === "message" ? "Message" : "Typed data"}
        rows={8}
        hint={
          form.values.kind === "message"
            ? "Signed as EIP-191: no transaction can be made of it."
            : "EIP-712 as JSON: domain, types, primaryType and message."
        }
        {...form.field("text")}
      />
    </QuotedForm>
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
