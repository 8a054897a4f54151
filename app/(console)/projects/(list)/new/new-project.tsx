"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { KeyValueField } from "#components/form/key-value-field.tsx";
import { SideModalForm } from "#components/form/side-modal-form.tsx";
import { TextareaField, TextField } from "#components/form/text-fields.tsx";
import { useForm } from "#components/form/use-form.ts";
import { routes } from "#components/routes.ts";
import { useTRPC } from "#components/trpc.tsx";
import { toast } from "#components/ui/toast.tsx";
import { useRouter } from "#components/ui/use-router.ts";

const noMetadata: Record<string, string> = {};

/** The form of a project, over the page `over`; on success it goes to `next`, or to the project's own page. */
export function NewProject({ over, next }: { over: string; next?: string }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const router = useRouter();
  const create = useMutation(
    trpc.projects.create.mutationOptions({
      async onSuccess({ project }) {
        await queries.invalidateQueries(trpc.projects.pathFilter());
        toast(`${project.name} is made.`);
        router.push(next ?? routes.projects.read(project.id));
      },
    }),
  );
  const form = useForm({
    schema: () => import("#server/projects/schema.ts").then(({ CreateProject }) => CreateProject),
    initial: { name: "", slug: "", description: "", metadata: noMetadata },
  });
  return (
    <SideModalForm
      title="New project"
      parent={over}
      submitLabel="Create project"
      form={form}
      pending={create.isPending || create.isSuccess}
      error={create.error}
      failed="The project was not created."
      onSubmit={(input) => create.mutate(input)}
    >
      <TextField label="Name" autoComplete="off" {...form.field("name")} />
      <TextField
        label="Slug"
        optional
        hint="Lower-case letters, digits and hyphens. Left empty, it is made of the name."
        autoComplete="off"
        spellCheck={false}
        {...form.field("slug")}
      />
      <TextareaField label="Description" optional {...form.field("description")} />
      <KeyValueField
        label="Metadata"
        optional
        hint="Your own values, given back with the project."
        {...form.field("metadata")}
      />
    </SideModalForm>
  );
}
