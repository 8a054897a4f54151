"use client";

import { type ReactNode, useId } from "react";
import { useServerIssue } from "#components/form/server-issues.ts";

/** The properties that every field has. */
export type FieldProps = { label: string; hint?: ReactNode; optional?: boolean };

/** The attributes that tie a control to its label, hint and error. */
type ControlProps = {
  id: string;
  name: string;
  "aria-invalid": true | undefined;
  "aria-describedby": string | undefined;
};

/** Shows label, control, hint and error in that order; `group` makes it a fieldset of several controls. */
export function Field({
  name,
  label,
  hint,
  optional,
  error,
  group = false,
  children,
}: FieldProps & {
  name: string;
  error: string | undefined;
  group?: boolean;
  children: (control: ControlProps) => ReactNode;
}) {
  const id = useId();
  const serverIssue = useServerIssue(name);
  const fault = error ?? serverIssue;
  const describedBy =
    [optional && `${id}-optional`, hint && `${id}-hint`, fault && `${id}-error`].filter(Boolean).join(" ") ||
    undefined;
  const control = children({
    id,
    name,
    "aria-invalid": fault ? true : undefined,
    "aria-describedby": describedBy,
  });
  const optionalNote = optional && (
    <span id={`${id}-optional`} className="font-normal text-muted">
      (optional)
    </span>
  );
  const notes = (
    <>
      {hint && (
        <p id={`${id}-hint`} className="text-13 text-muted">
          {hint}
        </p>
      )}
      {fault && (
        <p id={`${id}-error`} className="text-13 text-bad">
          {fault}
        </p>
      )}
    </>
  );

  if (group) {
    return (
      <fieldset aria-describedby={describedBy} className="flex min-w-0 flex-col gap-1">
        <legend className="mb-1 font-medium">
          {label} {optionalNote}
        </legend>
        {control}
        {notes}
      </fieldset>
    );
  }
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <div className="font-medium">
        <label htmlFor={id}>{label}</label> {optionalNote}
      </div>
      {control}
      {notes}
    </div>
  );
}
