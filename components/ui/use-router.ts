"use client";

import { onlineManager } from "@tanstack/react-query";
import { useRouter as useNextRouter } from "next/navigation";
import { useMemo } from "react";
import { inProject, leavesProject, useChosenProject } from "#components/ui/chosen-project.ts";
import { toast } from "#components/ui/toast.tsx";

type NextRouter = ReturnType<typeof useNextRouter>;

/** Said where a page is asked for that can't be loaded now. */
export const STAYS = "This page stays open until the server can be reached again.";

/**
 * The router of the console: its addresses stay in the chosen project; one of another loads a whole new page. Where the
 * server can't be reached it goes nowhere: a page that can't be loaded would take what was typed with it.
 */
export function useRouter(): NextRouter {
  const router = useNextRouter();
  const projectId = useChosenProject();
  return useMemo(() => {
    const go =
      (how: "push" | "replace"): NextRouter["push"] =>
      (href, options) => {
        if (!onlineManager.isOnline()) return toast(STAYS);
        const to = inProject(href, projectId);
        if (leavesProject(to, projectId)) window.location.assign(to);
        else router[how](to, options);
      };
    return { ...router, push: go("push"), replace: go("replace") };
  }, [router, projectId]);
}
