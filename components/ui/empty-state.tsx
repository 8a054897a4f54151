import type { ReactNode } from "react";
import { CodeBlock } from "#components/ui/code-block.tsx";

/**
 * Shown instead of an empty list: the resource's purpose, the first step, and the curl command for it.
 * `<EmptyState title="No projects yet" action={<ButtonLink … />} curl={…}>A project keeps …</EmptyState>`
 */
export function EmptyState({
  title,
  children,
  action,
  curl,
}: {
  title: string;
  children: ReactNode;
  action?: ReactNode;
  curl?: string;
}) {
  return (
    <div className="flex flex-col items-start gap-3 px-4 py-10 sm:items-center sm:px-8 sm:text-center">
      <h2 className="font-semibold text-14">{title}</h2>
      <p className="max-w-md text-muted">{children}</p>
      {action}
      {curl && (
        <div className="mt-2 w-full min-w-0 max-w-xl text-left">
          <CodeBlock label="The same from a terminal" code={curl} />
        </div>
      )}
    </div>
  );
}
