"use client";

import { skipToken, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useInvokeService } from "#components/invoke-service.ts";

export type Issue = { path: string; message: string };

const PAUSE_MS = 500;

/** Returns the service's validation of the workflow once the person has stopped typing; null while it is unknown. */
export function useValidation(workflow: unknown) {
  const invoke = useInvokeService();
  const [asked, ask] = useState(workflow);
  useEffect(() => {
    const timer = setTimeout(() => ask(workflow), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [workflow]);

  const check = useQuery({
    queryKey: ["workflow issues", asked],
    queryFn:
      asked === undefined
        ? skipToken
        : async () => (await invoke("managed-workflows", "validate", { workflow: asked })).issues,
    staleTime: Infinity,
  });
  return { issues: asked === workflow ? (check.data ?? null) : null, error: check.error };
}
