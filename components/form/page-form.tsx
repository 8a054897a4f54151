"use client";

import type { ReactNode } from "react";
import { FormBody, type FormState } from "#components/form/form-body.tsx";
import { Button } from "#components/ui/button.tsx";

/** A form inside a page, such as sign-in or settings; it requires the same props as `SideModalForm`. */
export function PageForm<Values extends object, Input>({
  submitLabel,
  children,
  ...state
}: FormState<Values, Input> & {
  submitLabel: string;
  children: ReactNode;
}) {
  return (
    <FormBody
      {...state}
      className="flex flex-col gap-4"
      fieldsClassName="flex flex-col gap-4"
      fields={children}
      buttons={
        <Button type="submit" variant="primary" pending={state.pending} className="self-start">
          {submitLabel}
        </Button>
      }
    />
  );
}
