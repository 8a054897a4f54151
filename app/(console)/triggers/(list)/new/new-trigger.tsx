"use client";

import { TriggerForm } from "#app/(console)/triggers/trigger-form.tsx";
import { newTrigger } from "#app/(console)/triggers/trigger-values.ts";
import { routes } from "#components/routes.ts";
import { useRouter } from "#components/ui/use-router.ts";

export function NewTrigger() {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const router = useRouter();
  return (
    <TriggerForm
      title="New trigger"
      submitLabel="Create trigger"
      parent={routes.triggers.list()}
      initial={{ ...newTrigger, timezone: timeZone }}
      updatedAt={null}
      onDone={({ id }) => router.push(routes.triggers.read(id))}
    />
  );
}
