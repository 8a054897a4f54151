"use client";

import { ChevronDown, ChevronRight } from "lucide-react";
import { lazy, Suspense, useId, useState } from "react";
import { LifetimeField } from "#app/(console)/api-keys/(list)/new/lifetime-field.tsx";
import type { KeyFieldsProps } from "#app/(console)/api-keys/(list)/new/narrowing-fields.tsx";
import { ProjectField } from "#app/(console)/api-keys/(list)/new/project-field.tsx";
import { ScopesField } from "#app/(console)/api-keys/(list)/new/scopes-field.tsx";
import { TextField } from "#components/form/text-fields.tsx";
import { Button } from "#components/ui/button.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";

const NarrowingFields = lazy(() =>
  import("#app/(console)/api-keys/(list)/new/narrowing-fields.tsx").then(({ NarrowingFields }) => ({
    default: NarrowingFields,
  })),
);

/** The fields of a key's policy: the basic ones first, the others when they are unfolded. */
export function KeyFields<Input>({ form, access, parent }: KeyFieldsProps<Input>) {
  const { scopes } = form.values;
  const [open, setOpen] = useState(false);
  const id = useId();
  const Chevron = open ? ChevronDown : ChevronRight;
  return (
    <>
      <TextField label="Label" hint="What the key is for." autoComplete="off" {...form.field("label")} />
      <ProjectField form={form} parent={parent} />
      <ScopesField
        offered={access.scopes}
        whyNot={parent ? "the keys above it do not hold them." : "your role does not hold them."}
        {...form.field("scopes")}
      />
      <LifetimeField form={form} scopes={scopes} all={access.scopes} expiry={access.expiry} />
      <Button
        variant="ghost"
        aria-expanded={open}
        aria-controls={id}
        className="-ml-3 self-start"
        onClick={() => setOpen(!open)}
      >
        <Chevron aria-hidden className="size-4" />
        Boundaries, limits, end user, privacy
      </Button>
      <div id={id} hidden={!open} className="flex flex-col gap-4">
        {open && (
          <Suspense fallback={<Skeleton className="h-64 w-full" />}>
            <NarrowingFields form={form} access={access} parent={parent} />
          </Suspense>
        )}
      </div>
    </>
  );
}
