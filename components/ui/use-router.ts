"use client";

import { useRouter as useNextRouter } from "next/navigation";
import { useMemo } from "react";
import { inProject, leavesProject, useChosenProject } from "#components/ui/chosen-project.ts";

type NextRouter = ReturnType<typeof useNextRouter>;

/** The router of the console: its addresses stay in the chosen project; one of another loads a whole new page. */
export function useRouter(): NextRouter {
  const router = useNextRouter();
  const projectId = useChosenProject();
  return useMemo(() => {
    const go =
      (how: "push" | "replace"): NextRouter["push"] =>
      (href, options) => {
        const to = inProject(href, projectId);
        if (leavesProject(to, projectId)) window.location.assign(to);
        else router[how](to, options);
      };
    return { ...router, push: go("push"), replace: go("replace") };
  }, [router, projectId]);
}
