"use client";

import type { KeyValues } from "#app/(console)/api-keys/(list)/new/key-values.ts";
import { useProjectName } from "#app/(console)/api-keys/key-columns.tsx";
import { SelectField } from "#components/form/text-fields.tsx";
import { useProjectChoices } from "#components/form/use-choices.tsx";
import type { Form } from "#components/form/use-form.ts";
import { useChosenProject } from "#components/ui/chosen-project.ts";
import { plainName } from "#components/ui/plain-name.ts";
import type { ApiKey } from "#server/keys/schema.ts";

type Props<Input> = { form: Form<KeyValues, Input>; parent: ApiKey | undefined };

/** Chooses the project that the key is bound to permanently. */
export function ProjectField<Input>({ form, parent }: Props<Input>) {
  const projects = useProjectChoices({ active: true });
  const chosen = useChosenProject();
  const name = useProjectName(parent?.projectId ?? chosen);
  if (parent?.projectId) return <Bound what="Project" to={name} />;
  if (chosen && form.values.projectId === chosen)
    return <Bound what="Project" to={name} by="the project that you are in" />;
  return (
    <SelectField
      label="Project"
      hint="A bound key, and all below it, stays in its project for good."
      options={[{ value: "", label: "None: the whole account" }, ...projects.options]}
      find={projects.find}
      {...form.field("projectId")}
    />
  );
}

/** Shows a value that the parent key or the chosen project determines. */
export function Bound({
  what,
  to,
  by = "bound by the key above it",
}: {
  what: string;
  to: string;
  by?: string;
}) {
  return (
    <p className="min-w-0 break-words">
      <span className="font-medium">{what}</span>: <bdi>{plainName(to)}</bdi>{" "}
      <span className="text-muted">– {by}.</span>
    </p>
  );
}
