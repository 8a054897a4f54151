"use client";

import { type QueryClient, QueryClientContext } from "@tanstack/react-query";
import { TriangleAlert } from "lucide-react";
import { createContext, type ReactNode, useContext, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Copyable } from "#components/ui/copyable.tsx";
import { canReadAgain, readAgain } from "#components/ui/failed-reads.ts";
import { TextLink } from "#components/ui/link.tsx";
import { outcomeSentence, readProblem } from "#components/ui/problem.ts";

/** Returns the page of a request by its id; null while nobody is signed in to see it. */
export const RequestPage = createContext<((requestId: string) => string) | null>(null);

/**
 * Shows what failed, why, what did not happen, and the request's id; nothing without an error:
 * `<ErrorNotice what="The projects could not be loaded." error={list.error} />`. A query's error that may not come again
 * gets a button that reads again.
 */
export function ErrorNotice({ what, error, action }: { what: string; error: unknown; action?: ReactNode }) {
  const pageOf = useContext(RequestPage);
  const queries = useContext(QueryClientContext);
  if (!error) return null;
  const again = queries && canReadAgain(queries, error) && <TryAgain queries={queries} />;
  const problem = readProblem(error);
  // A single issue is already the message.
  const issues = problem.issues.filter(({ path, message }) => problem.message !== `${path}: ${message}`);
  return (
    <div
      role="alert"
      className="flex min-w-0 gap-3 rounded-md border border-bad/40 bg-bad-soft p-3 text-13 text-ink"
    >
      <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-bad" />
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <p className="break-words font-medium">{what}</p>
        <p className="break-words">{problem.message}</p>
        {issues.length > 0 && (
          <ul className="list-inside list-disc break-words">
            {issues.map((issue) => (
              <li key={`${issue.path} ${issue.message}`}>
                <code className="font-mono">{issue.path}</code>: {issue.message}
              </li>
            ))}
          </ul>
        )}
        {!again && <p className="text-muted">{outcomeSentence(problem)}</p>}
        {problem.requestId && (
          <p className="flex flex-wrap items-center gap-1 text-muted">
            Request <Copyable value={problem.requestId} />
            {pageOf && <TextLink href={pageOf(problem.requestId)}>See it in the audit</TextLink>}
          </p>
        )}
        {(action || again) && <div className="mt-1">{action || again}</div>}
      </div>
    </div>
  );
}

function TryAgain({ queries }: { queries: QueryClient }) {
  const [pending, setPending] = useState(false);
  async function read() {
    setPending(true);
    await readAgain(queries);
    setPending(false);
  }
  return (
    <Button size="sm" pending={pending} onClick={read}>
      Try again
    </Button>
  );
}
