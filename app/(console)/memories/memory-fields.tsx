"use client";

import { KeyValueField } from "#components/form/key-value-field.tsx";
import { LinesField } from "#components/form/lines-field.tsx";
import { TextareaField } from "#components/form/text-fields.tsx";
import type { Form } from "#components/form/use-form.ts";

export interface MemoryValues {
  content: string;
  tags: string[];
  metadata: Record<string, string>;
}

/** The fields of a memory beside its name. */
export function MemoryFields<Values extends MemoryValues, Input>({ form }: { form: Form<Values, Input> }) {
  return (
    <>
      <TextareaField label="Content" rows={12} {...form.field("content")} />
      <LinesField label="Tags" optional {...form.field("tags")} />
      <KeyValueField label="Metadata" optional {...form.field("metadata")} />
    </>
  );
}
