"use client";

import { MemoryFields, type MemoryValues } from "#app/(console)/memories/memory-fields.tsx";
import { usePut } from "#app/(console)/memories/use-put.ts";
import { SideModalForm } from "#components/form/side-modal-form.tsx";
import { TextField } from "#components/form/text-fields.tsx";
import { useForm } from "#components/form/use-form.ts";
import { routes } from "#components/routes.ts";
import { useChosenProject } from "#components/ui/chosen-project.ts";

const initial: MemoryValues & { name: string } = { name: "", content: "", tags: [], metadata: {} };

/** The form of a new memory, of the chosen project or of the account. */
export function NewMemory() {
  const parent = routes.memories.list();
  const put = usePut(useChosenProject(), parent, "Memory stored.");
  const form = useForm({
    schema: () => import("#server/memory/schema.ts").then(({ PutMemory }) => PutMemory),
    initial,
    toInput: ({ name, ...values }) => ({ ...values, ...(name && { name }) }),
  });
  return (
    <SideModalForm
      title="New memory"
      description="Stored by managed-memory put, at its price."
      parent={parent}
      submitLabel="Store memory"
      form={form}
      pending={put.isPending || put.isSuccess}
      error={put.error}
      failed="The memory was not stored."
      onSubmit={(input) => put.mutate(input)}
    >
      <TextField
        label="Name"
        optional
        hint="A memory that has this name already is replaced."
        autoComplete="off"
        {...form.field("name")}
      />
      <MemoryFields form={form} />
    </SideModalForm>
  );
}
