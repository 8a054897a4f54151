"use client";

import { type ReactNode, useEffect, useRef, useState } from "react";
import { inBody, ServerIssues } from "#components/form/server-issues.ts";
import type { Form } from "#components/form/use-form.ts";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { type Problem, readProblem } from "#components/ui/problem.ts";

export type FormState<Values extends object, Input> = {
  form: Pick<Form<Values, Input>, "values" | "submit">;
  onSubmit: (input: Input) => void;
  /** Required, so that nobody forgets the double click: `create.isPending`. */
  pending: boolean;
  /** Required, so that nobody forgets the failure: `create.error`. */
  error: unknown;
  /** What a failure means: `The project was not created.` */
  failed: string;
  /** The field of a fault, for a form whose fields are not named as the body's: `input.on.cron` is at `cron`. */
  fieldOf?: (path: string) => string;
};

const asItIs = (path: string) => path;

/** The form element: hands the server's issues to their fields and says the rest above the buttons. */
export function FormBody<Values extends object, Input>({
  form,
  onSubmit,
  pending,
  error,
  failed,
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
    // One fault alone is said with the label that the person sees, not with the path of the wire.
    message: labelled ?? problem.message,
    issues: issues.filter(({ path }) => !hasField(path)),
  };
  return (
    <ServerIssues value={issues}>
      <form
        ref={ref}
        // Sent before the console's scripts run, a form must not put a password into an address.
        method="post"
        noValidate
        className={className}
        onSubmit={(event) => (pending ? event.preventDefault() : form.submit(event, onSubmit))}
      >
        <div className={fieldsClassName}>
          {fields}
          <ErrorNotice what={failed} error={rest && { error: rest }} />
        </div>
        {buttons}
      </form>
    </ServerIssues>
  );
}

/** `Name: Too long.` of `body.name: Too long.`, where the form has a field for it. */
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
