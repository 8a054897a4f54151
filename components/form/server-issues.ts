"use client";

import { createContext, useContext } from "react";
import { issueOf } from "#components/form/use-form.ts";
import type { Issue } from "#components/ui/problem.ts";

/** The faults that the server found in the last attempt, by path inside the body. */
export const ServerIssues = createContext<readonly Issue[]>([]);

/** Returns the server's message for a field. */
export function useServerIssue(name: string): string | undefined {
  return issueOf(name, useContext(ServerIssues));
}

/** Returns the issue with the form's path: `limits.*` for `body.limits.*`. */
export function inBody(issue: Issue): Issue {
  return { ...issue, path: issue.path.replace(/^body\./, "") };
}
