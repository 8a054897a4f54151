"use client";

import { useSuspenseQuery } from "@tanstack/react-query";
import { TriggerForm } from "#app/(console)/triggers/trigger-form.tsx";
import { valuesOf } from "#app/(console)/triggers/trigger-values.ts";
import { routes } from "#components/routes.ts";
import { useTRPC } from "#components/trpc.tsx";
import { useCloseTo } from "#components/ui/close-side-modal.ts";
import { toast } from "#components/ui/toast.tsx";

export function EditTrigger({ triggerId }: { triggerId: string }) {
  const parent = routes.triggers.read(triggerId);
  const close = useCloseTo(parent);
  const { trigger } = useSuspenseQuery(useTRPC().triggers.read.queryOptions({ triggerId })).data;
  return (
    <TriggerForm
      title={`Edit “${trigger.name}”`}
      submitLabel="Save trigger"
      parent={parent}
      initial={valuesOf(trigger)}
      updatedAt={trigger.updatedAt}
      onDone={() => {
        toast("Trigger saved. Its runs are yours from now on.");
        close();
      }}
    />
  );
}
