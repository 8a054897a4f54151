"use client";

import type { ReactNode } from "react";
import { FormBody, type FormState } from "#components/form/form-body.tsx";
import { Button } from "#components/ui/button.tsx";
import { useCloseTo } from "#components/ui/close-side-modal.ts";
import { SideModal } from "#components/ui/side-modal.tsx";

/**
 * A form in a side panel with an address: title, fields, errors, Cancel and a submit button named by its verb.
 * `<SideModalForm title="New project" parent={routes.projects.list()} submitLabel="Create project" form={form}
 * pending={create.isPending} error={create.error} failed="The project was not created." onSubmit={create.mutate}>`
 */
export function SideModalForm<Values extends object, Input>({
  title,
  description,
  parent,
  submitLabel,
  wide,
  children,
  ...state
}: FormState<Values, Input> & {
  title: string;
  description?: ReactNode;
  parent: string;
  submitLabel: string;
  wide?: boolean;
  children: ReactNode;
}) {
  const close = useCloseTo(parent);
  return (
    <SideModal title={title} description={description} parent={parent} wide={wide} bare>
      <FormBody
        {...state}
        className="flex min-h-0 flex-1 flex-col"
        fieldsClassName="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto p-4"
        fields={children}
        buttons={
          <footer className="flex flex-wrap justify-end gap-2 border-t px-4 py-3">
            <Button onClick={close}>Cancel</Button>
            <Button type="submit" variant="primary" pending={state.pending}>
              {submitLabel}
            </Button>
          </footer>
        }
      />
    </SideModal>
  );
}
