"use client";

import { onlineManager } from "@tanstack/react-query";
import { useRouter as useNextRouter } from "next/navigation";
import { useMemo } from "react";
import { inProject, leavesProject, useChosenProject } from "#components/ui/chosen-project.ts";
import { toast } from "#components/ui/toast.tsx";

type NextRouter = ReturnType<typeof useNextRouter>;

/** The notice when a requested page cannot be loaded. */
export const STAYS = "This page stays open until the server can be reached again.";

/**
 * The console's router: addresses keep the chosen project, and an address of another project loads a new document.
 * While the server cannot be reached it does not navigate, because a page that fails to load would discard unsaved
 * input.
 */
export function useRouter(): NextRouter {
  const router = useNextRouter();
  const projectId = useChosenProject();
  return useMemo(() => {
    const go =
      (how: "push" | "replace"): NextRouter["push"] =>
      (href, options) => {
        if (!onlineManager.isOnline()) return toast(STAYS, { failed: true });
        const to = inProject(href, projectId);
        if (leavesProject(to, projectId)) window.location.assign(to);
        else router[how](to, options);
      };
    return { ...router, push: go("push"), replace: go("replace") };
  }, [router, projectId]);
}
