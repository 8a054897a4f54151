"use client";

import { useQuery } from "@tanstack/react-query";
import type { KeyValues } from "#app/(console)/api-keys/(list)/new/key-values.ts";
import { useProjectName } from "#app/(console)/api-keys/key-columns.tsx";
import { SelectField } from "#components/form/text-fields.tsx";
import type { Form } from "#components/form/use-form.ts";
import { useTRPC } from "#components/trpc.tsx";
import type { ApiKey } from "#server/keys/schema.ts";

type Props<Input> = { form: Form<KeyValues, Input>; parent: ApiKey | undefined };

/** The project that the key stays in for good. */
export function ProjectField<Input>({ form, parent }: Props<Input>) {
  const trpc = useTRPC();
  const projects = useQuery(trpc.projects.list.queryOptions({ limit: 100 })).data?.projects ?? [];
  const name = useProjectName(parent?.projectId ?? null);
  if (parent?.projectId) return <Bound what="Project" to={name} />;
  const active = projects.filter(({ status }) => status === "active");
  return (
    <SelectField
      label="Project"
      hint="A bound key, and all below it, stays in its project for good."
      options={[
        { value: "", label: "None: the whole account" },
        ...active.map(({ id, name }) => ({ value: id, label: name })),
      ]}
      {...form.field("projectId")}
    />
  );
}

/** What is settled by the key above: said, not asked. */
export function Bound({ what, to }: { what: string; to: string }) {
  return (
    <p className="min-w-0 break-words">
      <span className="font-medium">{what}</span>: {to}{" "}
      <span className="text-muted">– bound by the key above it.</span>
    </p>
  );
}
