"use client";

import { type FormEvent, useRef, useState } from "react";
import type { ZodType } from "zod";
import { keylessIssues } from "#components/form/keyless.ts";
import type { Issue } from "#components/ui/problem.ts";

/** The properties that a field component needs from its form; `form.field("name")` creates them. */
export type FieldOf<Value> = {
  name: string;
  value: Value;
  onChange: (value: Value) => void;
  error: string | undefined;
};

export type Form<Values extends object, Input> = {
  values: Values;
  set: (change: Partial<Values>) => void;
  field: <Name extends keyof Values & string>(name: Name) => FieldOf<Values[Name]>;
  /** Every fault, for a field of several parts that shows each fault at its part. */
  issues: readonly Issue[];
  /** Passes on the validated input, or shows the faults and focuses the first. */
  submit: (event: FormEvent<HTMLFormElement>, onSubmit: (input: Input) => void) => void;
  /** Like `submit`, for a button of the form that does something else with the input. */
  check: (button: HTMLButtonElement, onChecked: (input: Input) => void) => void;
  /** True if a value differs from the initial one. */
  changed: boolean;
};

/**
 * Holds a form's values and validates them by the operation's own zod schema on the first submit, and then on every
 * change:
 * `useForm({ schema: () => import("#server/projects/schema.ts").then((m) => m.CreateProject), initial: { name: "" }
 * })`.
 * The schema is imported late because zod alone weighs 31 KB. `toInput` converts the values to the operation's body; by
 * default it leaves out empty texts and nulls.
 */
export function useForm<Values extends object, Input>(options: {
  schema: () => Promise<ZodType<Input>>;
  initial: Values;
  toInput?: (values: Values) => unknown;
  /** True for a partial update: only what differs from the initial input is sent, so that other people's changes stay. */
  partial?: boolean;
}): Form<Values, Input> {
  const [initial] = useState(options.initial);
  const convert = options.toInput ?? withoutEmpty;
  const toInput = (values: Values) =>
    options.partial ? differing(convert(values) as object, convert(initial) as object) : convert(values);
  const [values, setValues] = useState(initial);
  /** Loaded when the form is first submitted. */
  const [schema, setSchema] = useState<ZodType<Input> | null>(null);

  const checking = useRef(false);
  const changed = JSON.stringify(values) !== JSON.stringify(initial);

  const keyless = keylessIssues(values);
  const issues: Issue[] = schema ? [...keyless, ...faults(schema, toInput(values))] : [];
  const set = (change: Partial<Values>) => setValues((before) => ({ ...before, ...change }));

  const check = async (form: HTMLFormElement | null, onChecked: (input: Input) => void) => {
    if (checking.current) return;
    checking.current = true;
    const loaded = schema ?? (await options.schema().catch(() => null));
    checking.current = false;
    // After a deployment the server may no longer have this file; it validates the input in any case.
    if (!loaded) return onChecked(toInput(values) as Input);
    setSchema(() => loaded);
    const parsed = loaded.safeParse(toInput(values));
    if (parsed.success && keyless.length === 0) return onChecked(parsed.data);
    requestAnimationFrame(() => form?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus());
  };

  return {
    values,
    set,
    issues,
    field: (name) => ({
      name,
      value: values[name],
      onChange: (value) => set({ [name]: value } as unknown as Partial<Values>),
      error: issueOf(name, issues),
    }),
    submit: (event, onSubmit) => {
      event.preventDefault();
      void check(event.currentTarget, onSubmit);
    },
    check: (button, onChecked) => void check(button.form, onChecked),
    changed,
  };
}

function differing(input: object, from: object): unknown {
  const before = new Map<string, unknown>(Object.entries(from));
  return Object.fromEntries(
    Object.entries(input).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(before.get(key))),
  );
}

/** Returns the message of the first issue at a field or inside it. */
export function issueOf(name: string, issues: readonly Issue[]): string | undefined {
  return issues.find(({ path }) => path === name || path.startsWith(`${name}.`))?.message;
}

function faults(schema: ZodType, input: unknown): Issue[] {
  const parsed = schema.safeParse(input);
  return (parsed.error?.issues ?? []).map(({ path, message }) => ({
    path: path.join("."),
    message: isMissing(input, path) ? "This field is required." : message,
  }));
}

function isMissing(input: unknown, path: PropertyKey[]): boolean {
  const at = path.reduce(
    (part: unknown, key) => (part as Record<PropertyKey, unknown> | undefined)?.[key],
    input,
  );
  return at === undefined || at === null;
}

function withoutEmpty(values: object): unknown {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== "" && value !== null));
}
