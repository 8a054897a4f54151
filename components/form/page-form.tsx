"use client";

import type { ReactNode } from "react";
import { FormBody, type FormState } from "#components/form/form-body.tsx";
import { Button } from "#components/ui/button.tsx";
import { useHydrated } from "#components/ui/hydrated.ts";

/** A form that stands in a page: sign-in, settings. The same required props as `SideModalForm`. */
export function PageForm<Values extends object, Input>({
  submitLabel,
  children,
  ...state
}: FormState<Values, Input> & {
  submitLabel: string;
  children: ReactNode;
}) {
  // Sent before then, the browser itself would send it, to nobody.
  const hydrated = useHydrated();
  return (
    <FormBody
      {...state}
      className="flex flex-col gap-4"
      fieldsClassName="flex flex-col gap-4"
      fields={children}
      buttons={
        <Button
          type="submit"
          variant="primary"
          pending={state.pending}
          disabled={!hydrated}
          className="self-start disabled:cursor-default disabled:opacity-100"
        >
          {submitLabel}
        </Button>
      }
    />
  );
}
