"use client";

import { type FormEvent, useRef, useState } from "react";
import type { ZodType } from "zod";
import { useTyped } from "#components/form/typed.ts";
import type { Issue } from "#components/ui/problem.ts";

/** What a field component needs of its form; `form.field("name")` makes it. */
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
  /** Every fault, for a field of several parts that shows each where it is. */
  issues: readonly Issue[];
  /** Passes the checked input on; with faults it shows them instead, and focuses the first. */
  submit: (event: FormEvent<HTMLFormElement>, onSubmit: (input: Input) => void) => void;
  /** As `submit`, for a button of the form that does something else with the input. */
  check: (button: HTMLButtonElement, onChecked: (input: Input) => void) => void;
  /** Whether anything differs from the start. */
  changed: boolean;
};

/**
 * A form's values, checked by the operation's own zod schema when it is sent, and from then on as they change:
 * `useForm({ schema: () => import("#server/projects/schema.ts").then((m) => m.CreateProject), initial: { name: "" } })`.
 * The schema is imported late because zod alone weighs 31 KB. `toInput` makes the operation's body of the values; by
 * default empty texts and nulls are left out.
 */
export function useForm<Values extends object, Input>(options: {
  schema: () => Promise<ZodType<Input>>;
  initial: Values;
  toInput?: (values: Values) => unknown;
}): Form<Values, Input> {
  const { toInput = withoutEmpty } = options;
  const [initial] = useState(options.initial);
  const [values, setValues] = useState(initial);
  /** Known once the form was sent for the first time. */
  const [schema, setSchema] = useState<ZodType<Input> | null>(null);

  const checking = useRef(false);
  const changed = JSON.stringify(values) !== JSON.stringify(initial);
  useTyped(changed);

  const issues: Issue[] = schema ? faults(schema, toInput(values)) : [];
  const set = (change: Partial<Values>) => setValues((before) => ({ ...before, ...change }));

  const check = async (form: HTMLFormElement | null, onChecked: (input: Input) => void) => {
    if (checking.current) return;
    checking.current = true;
    const loaded = schema ?? (await options.schema().catch(() => null));
    checking.current = false;
    // A server that was replaced meanwhile may have no such file any more; it checks the input all the same.
    if (!loaded) return onChecked(toInput(values) as Input);
    setSchema(() => loaded);
    const parsed = loaded.safeParse(toInput(values));
    if (parsed.success) return onChecked(parsed.data);
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

/** The first issue at a field or inside it. */
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
