"use client";

import { type FormEvent, useMemo, useState } from "react";
import { type InputVariant, inputVariants, type JsonSchema } from "#components/form/input-schema.ts";

export type JsonObject = Record<string, unknown>;

/** The state of a form generated from a JSON Schema; `InputEditor` shows it inside a `PageForm`. */
export type InputForm = {
  values: { input: unknown };
  /** True if the input differs from the initial one. */
  changed: boolean;
  /** The ways to fill it in; none if only JSON can express it. */
  variants: InputVariant[];
  variant: number;
  choose: (variant: number) => void;
  set: (input: unknown) => void;
  /** Sets a property of the input, or removes it if the value is undefined. */
  setProperty: (name: string, value: unknown) => void;
  /** The faults of the input by path; a form with faults is not sent. */
  faults: Record<string, string>;
  setFault: (path: string, fault: string | null) => void;
  /** Discards the faults of text that is no longer shown. */
  forgetFaults: () => void;
  submit: (event: FormEvent<HTMLFormElement>, onSubmit: (values: { input: unknown }) => void) => void;
};

/** Lets the form and the JSON editor change the same input; the server, which has the whole schema, validates it. */
export function useInputForm(schema: JsonSchema, initial: unknown = {}): InputForm {
  const variants = useMemo(() => inputVariants(schema), [schema]);
  const [variant, setVariant] = useState(() => variantOf(variants, initial));
  const [input, setInput] = useState<unknown>(initial);
  const [unreadable, setUnreadable] = useState<Record<string, string>>({});
  const [sent, setSent] = useState(false);
  const missing = missingFields(variants[variant], input);

  return {
    values: useMemo(() => ({ input }), [input]),
    changed: JSON.stringify(input) !== JSON.stringify(initial),
    variants,
    variant,
    choose(next) {
      const names = new Set(variants[next]?.fields.map(({ name }) => name));
      setVariant(next);
      setUnreadable({});
      setInput(Object.fromEntries(Object.entries(asObject(input)).filter(([name]) => names.has(name))));
    },
    set: setInput,
    setProperty: (name, value) =>
      setInput((before: unknown) => {
        const { [name]: _, ...others } = asObject(before);
        return value === undefined ? others : { ...others, [name]: value };
      }),
    faults: sent ? { ...missing, ...unreadable } : unreadable,
    setFault: (path, fault) =>
      setUnreadable(({ [path]: _, ...others }) => (fault === null ? others : { ...others, [path]: fault })),
    forgetFaults: () => setUnreadable({}),
    submit(event, onSubmit) {
      event.preventDefault();
      const form = event.currentTarget;
      setSent(true);
      if (Object.keys({ ...missing, ...unreadable }).length === 0) return onSubmit({ input });
      requestAnimationFrame(() => form.querySelector<HTMLElement>("[aria-invalid=true]")?.focus());
    },
  };
}

/** Returns the first way that has a field for each of the input; the first of all if none has. */
function variantOf(variants: readonly InputVariant[], input: unknown): number {
  const given = Object.keys(asObject(input));
  const fitting = variants.findIndex(({ fields }) =>
    given.every((name) => fields.some((field) => field.name === name)),
  );
  return Math.max(fitting, 0);
}

export function asObject(input: unknown): JsonObject {
  return typeof input === "object" && input !== null && !Array.isArray(input) ? (input as JsonObject) : {};
}

function missingFields(variant: InputVariant | undefined, input: unknown): Record<string, string> {
  const given = asObject(input);
  const missing = (variant?.fields ?? []).filter(
    ({ name, required }) => required && given[name] === undefined,
  );
  return Object.fromEntries(missing.map(({ name }) => [`input.${name}`, "This field is required."]));
}
