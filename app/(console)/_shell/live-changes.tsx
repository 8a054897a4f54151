"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";

const RETRY_MS = 5_000;

/** Keeps what the page shows as it is now; loaded once the page stands, which was made at `since`, by the server's clock. */
export function LiveChanges({ since }: { since: number }) {
  const [made] = useState(since);
  const queries = useQueryClient();
  useEffect(() => {
    let left = false;
    let stop: (() => void) | undefined;
    async function follow() {
      const { followChanges } = await import("#components/follow-changes.ts");
      if (!left) stop = followChanges(queries, made);
    }
    const retry = () => setTimeout(() => left || follow().catch(retry), RETRY_MS);
    follow().catch(retry);
    return () => {
      left = true;
      stop?.();
    };
  }, [queries, made]);
  return null;
}
