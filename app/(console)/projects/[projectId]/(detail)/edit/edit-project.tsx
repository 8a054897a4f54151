"use client";

import { useMutation, useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { changesOf, valuesOf } from "#app/(console)/projects/[projectId]/project-values.ts";
import { KeyValueField } from "#components/form/key-value-field.tsx";
import { SideModalForm } from "#components/form/side-modal-form.tsx";
import { TextareaField, TextField } from "#components/form/text-fields.tsx";
import { useForm } from "#components/form/use-form.ts";
import { routes } from "#components/routes.ts";
import { useTRPC } from "#components/trpc.tsx";
import { useCloseTo } from "#components/ui/close-side-modal.ts";
import { toast } from "#components/ui/toast.tsx";

export function EditProject({ projectId }: { projectId: string }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const parent = routes.projects.read(projectId);
  const close = useCloseTo(parent);
  const current = useSuspenseQuery(trpc.projects.read.queryOptions({ projectId })).data.project;
  // As it was when the form opened: by it an unchanged value of the metadata keeps its type.
  const [project] = useState(current);
  const update = useMutation(
    trpc.projects.update.mutationOptions({
      async onSuccess() {
        await queries.invalidateQueries(trpc.projects.pathFilter());
        toast("Project saved.");
        close();
      },
    }),
  );
  const form = useForm({
    schema: () => import("#server/projects/schema.ts").then(({ UpdateProject }) => UpdateProject),
    initial: valuesOf(project),
    toInput: changesOf(project),
    partial: true,
  });
  return (
    <SideModalForm
      title={`Edit ${project.name}`}
      parent={parent}
      submitLabel="Save project"
      form={form}
      pending={update.isPending || update.isSuccess}
      error={update.error}
      failed="The project was not changed."
      onSubmit={(input) => update.mutate({ projectId, ...input })}
    >
      <TextField label="Name" autoComplete="off" {...form.field("name")} />
      <TextField
        label="Slug"
        hint="Unique in the account. Links and code with the old slug stop matching."
        autoComplete="off"
        spellCheck={false}
        {...form.field("slug")}
      />
      <TextareaField label="Description" optional {...form.field("description")} />
      <KeyValueField
        label="Metadata"
        optional
        hint="A value that was not text is shown as JSON, and stays as it is unless you change it."
        {...form.field("metadata")}
      />
    </SideModalForm>
  );
}
