"use client";

import { createContext, useContext } from "react";
import { issueOf } from "#components/form/use-form.ts";
import type { Issue } from "#components/ui/problem.ts";

/** The faults that the server found in the last try, by path inside the body. */
export const ServerIssues = createContext<readonly Issue[]>([]);

/** What the server said of a field. */
export function useServerIssue(name: string): string | undefined {
  return issueOf(name, useContext(ServerIssues));
}

/** `body.limits.*` as the form knows it: `limits.*`. */
export function inBody(issue: Issue): Issue {
  return { ...issue, path: issue.path.replace(/^body\./, "") };
}
