"use client";

import { useQuery } from "@tanstack/react-query";
import type { KeyValues } from "#app/(console)/api-keys/(list)/new/key-values.ts";
import { useProjectName } from "#app/(console)/api-keys/key-columns.tsx";
import { SelectField, TextField } from "#components/form/text-fields.tsx";
import type { Form } from "#components/form/use-form.ts";
import { useTRPC } from "#components/trpc.tsx";
import type { ApiKey } from "#server/keys/schema.ts";

type Props<Input> = {
  form: Form<KeyValues, Input>;
  /** The key above it; undefined for a root key. What the parent is bound to is said, not asked. */
  parent: ApiKey | undefined;
};

const tiers = [
  { value: "standard", label: "Standard: request summaries are kept 30 days" },
  { value: "private", label: "Private: no bodies are kept beyond the idempotency window" },
  { value: "strict", label: "Strict: what is stored is sealed, and purged on completion" },
];

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

/** Whom the key acts for, and how long its data is kept. */
export function BindingFields<Input>({ form, parent }: Props<Input>) {
  const least = tiers.findIndex(({ value }) => value === parent?.privacyTier);
  return (
    <>
      {parent && parent.endUser !== null ? (
        <Bound what="End user" to={parent.endUser} />
      ) : (
        <TextField
          label="End user"
          optional
          hint="Your own id of somebody. A bound key, and all below it, acts for them alone."
          autoComplete="off"
          spellCheck={false}
          {...form.field("endUser")}
        />
      )}
      <SelectField
        label="Privacy tier"
        options={[
          { value: "", label: parent ? "As the key above it" : "Standard, unless you choose" },
          ...tiers.slice(Math.max(least, 0)),
        ]}
        {...form.field("privacyTier")}
      />
    </>
  );
}

function Bound({ what, to }: { what: string; to: string }) {
  return (
    <p className="min-w-0 break-words">
      <span className="font-medium">{what}</span>: {to}{" "}
      <span className="text-muted">– bound by the key above it.</span>
    </p>
  );
}
