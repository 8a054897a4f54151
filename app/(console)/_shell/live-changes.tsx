"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useRouter } from "#components/ui/use-router.ts";

const RETRY_MS = 5_000;

/**
 * Refetches the page's data when it changes; loaded after the page. `since` is when the page was rendered, by the
 * server's clock.
 */
export function LiveChanges({ since }: { since: number }) {
  const [made] = useState(since);
  const queries = useQueryClient();
  const { push } = useRouter();
  useEffect(() => {
    let left = false;
    let stop: (() => void) | undefined;
    async function follow() {
      const [{ followChanges }, { watchReachable }, { followPendingApprovals }] = await Promise.all([
        import("#components/follow-changes.ts"),
        import("#components/reachable.ts"),
        import("#app/(console)/_shell/pending-badge.ts"),
      ]);
      if (left) return;
      const stops = [watchReachable(), followChanges(queries, made), followPendingApprovals(queries, push)];
      stop = () => {
        for (const stop of stops) stop();
      };
    }
    const retry = () => setTimeout(() => left || follow().catch(retry), RETRY_MS);
    follow().catch(retry);
    return () => {
      left = true;
      stop?.();
    };
  }, [queries, made, push]);
  return null;
}
