"use client";

import { useSearchParams } from "next/navigation";
import { InvokeResult } from "#app/(console)/services/[serviceId]/[operationId]/invoke-result.tsx";
import { useInvoke } from "#app/(console)/services/[serviceId]/[operationId]/use-invoke.ts";
import { type Capability, priceText } from "#app/(console)/services/capability.ts";
import { InputEditor } from "#components/form/input-editor.tsx";
import { PageForm } from "#components/form/page-form.tsx";
import { useInputForm } from "#components/form/use-input-form.ts";
import { Section } from "#components/ui/section.tsx";

/** Returns the input that the address fills in, as links to a resource do; an empty one for anything malformed. */
function inputIn(search: { get(name: string): string | null }): unknown {
  try {
    return JSON.parse(search.get("input") ?? "{}");
  } catch {
    return {};
  }
}

/** Really calls the operation, with the same access decision, charge and audit as a key's call. */
export function InvokeForm({ capability }: { capability: Capability }) {
  const search = useSearchParams();
  // A link to another resource of the same operation fills in the form anew.
  return <FilledForm key={search.get("input")} capability={capability} input={inputIn(search)} />;
}

function FilledForm({ capability, input }: { capability: Capability; input: unknown }) {
  const form = useInputForm(capability.inputSchema, input);
  const invoke = useInvoke(capability);
  return (
    <>
      <Section title="Try it" description={`This really calls it. ${priceText(capability.price)}.`}>
        <PageForm
          submitLabel="Invoke"
          form={form}
          pending={invoke.isPending}
          error={invoke.error}
          failed="The operation was not carried out."
          onSubmit={invoke.mutate}
        >
          <InputEditor form={form} />
        </PageForm>
      </Section>
      <InvokeResult answer={invoke.data} />
    </>
  );
}
