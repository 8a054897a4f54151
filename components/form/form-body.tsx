"use client";

import { type ReactNode, useEffect, useRef, useState } from "react";
import { inBody, ServerIssues } from "#components/form/server-issues.ts";
import type { Form } from "#components/form/use-form.ts";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { type Problem, readProblem } from "#components/ui/problem.ts";
import { useTyped } from "#components/ui/typed.ts";

export type FormState<Values extends object, Input> = {
  form: Pick<Form<Values, Input>, "values" | "changed" | "submit">;
  onSubmit: (input: Input) => void;
  /** Required, so that nobody forgets double clicks: `create.isPending`. */
  pending: boolean;
  /** Required, so that nobody forgets to show failures: `create.error`. */
  error: unknown;
  /** The consequence of a failure: `The project was not created.` */
  failed: string;
  /** A button by which the person can mend the failure. */
  remedy?: ReactNode;
  /** Maps a fault's path to a field, for a form whose fields differ from the body's: `input.on.cron` is at `cron`. */
  fieldOf?: (path: string) => string;
};

const asItIs = (path: string) => path;

/** The form element: passes the server's issues to their fields and shows the others above the buttons. */
export function FormBody<Values extends object, Input>({
  form,
  onSubmit,
  pending,
  error,
  failed,
  remedy,
  fieldOf = asItIs,
  className,
  fieldsClassName,
  fields,
  buttons,
}: FormState<Values, Input> & {
  className?: string;
  fieldsClassName?: string;
  fields: ReactNode;
  buttons: ReactNode;
}) {
  const ref = useRef<HTMLFormElement>(null);
  const [labelled, setLabelled] = useState<string>();
  const [sent, setSent] = useState<Values>();
  // A link need not ask about text that is on its way or was taken; the former may still be refused.
  useTyped(form.changed, { asks: !pending && (sent !== form.values || Boolean(error)) });
  useEffect(() => {
    setLabelled(error ? withLabel(ref.current, readProblem(error), fieldOf) : undefined);
    if (!error) return;
    const invalid = ref.current?.querySelector<HTMLElement>("[aria-invalid=true]");
    invalid
      ? invalid.focus()
      : ref.current?.querySelector("[role=alert]")?.scrollIntoView({ block: "nearest" });
  }, [error, fieldOf]);
  const problem = error ? readProblem(error) : null;
  const issues =
    problem?.issues.map(inBody).map(({ path, message }) => ({ path: fieldOf(path), message })) ?? [];
  const hasField = (path: string) => (path.split(".")[0] ?? "") in form.values;
  const rest: Problem | null = problem && {
    ...problem,
    // A single fault is shown with the label on the screen, not with the path in the body.
    message: labelled ?? problem.message,
    issues: issues.filter(({ path }) => !hasField(path)),
  };
  return (
    <ServerIssues value={issues}>
      <form
        ref={ref}
        // If it is submitted before the console's scripts run, a form must not put a password into the address.
        method="post"
        noValidate
        className={className}
        onSubmit={(event) => {
          if (pending) return event.preventDefault();
          form.submit(event, (input) => {
            setSent(form.values);
            onSubmit(input);
          });
        }}
      >
        <div className={fieldsClassName}>
          {fields}
          <ErrorNotice what={failed} error={rest && { error: rest }} action={remedy} />
        </div>
        {buttons}
      </form>
    </ServerIssues>
  );
}

/** Returns `Name: Too long.` for `body.name: Too long.`, if the form has a field for it. */
function withLabel(
  form: HTMLFormElement | null,
  { message, issues: [issue, ...more] }: Problem,
  fieldOf: (path: string) => string,
): string | undefined {
  if (!issue || more.length > 0 || message !== `${issue.path}: ${issue.message}`) return undefined;
  const path = fieldOf(inBody(issue).path);
  const control = [path, path.split(".")[0] ?? ""].flatMap(
    (name) => form?.querySelector<HTMLInputElement>(`[name="${CSS.escape(name)}"]`) ?? [],
  )[0];
  const label =
    control?.labels?.[0]?.textContent ?? control?.closest("fieldset")?.querySelector("legend")?.textContent;
  return label ? `${label}: ${issue.message}` : undefined;
}
