"use client";

import { useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { MemoryFields } from "#app/(console)/memories/memory-fields.tsx";
import { titleOf } from "#app/(console)/memories/queries.ts";
import { usePut } from "#app/(console)/memories/use-put.ts";
import { metadataOf, textsOf } from "#app/(console)/projects/[projectId]/metadata.ts";
import { SideModalForm } from "#components/form/side-modal-form.tsx";
import { useForm } from "#components/form/use-form.ts";
import { routes } from "#components/routes.ts";
import { useTRPC } from "#components/trpc.tsx";

/** Replaces a named memory by the operation that stored it. */
export function EditMemory({ memoryId }: { memoryId: string }) {
  const trpc = useTRPC();
  const current = useSuspenseQuery(trpc.memories.read.queryOptions({ memoryId })).data.memory;
  // As it was when the form opened, so that a later change by somebody else is not overwritten.
  const [memory] = useState(current);
  const parent = routes.memories.read(memoryId);
  const put = usePut(memory.projectId, parent, "Memory saved.");
  const { name, content, tags, metadata, updatedAt } = memory;
  const form = useForm({
    schema: () => import("#server/memory/schema.ts").then(({ PutMemory }) => PutMemory),
    initial: { content, tags, metadata: textsOf(metadata) },
    toInput: (values) => ({
      ...values,
      name,
      metadata: metadataOf(values.metadata, metadata),
      ifUpdatedAt: updatedAt,
    }),
  });
  return (
    <SideModalForm
      title={`Edit ${titleOf(memory)}`}
      description="Stored by managed-memory put, at its price."
      parent={parent}
      submitLabel="Save memory"
      form={form}
      pending={put.isPending || put.isSuccess}
      error={put.error}
      failed="The memory was not changed."
      onSubmit={(input) => put.mutate(input)}
    >
      <MemoryFields form={form} />
    </SideModalForm>
  );
}
