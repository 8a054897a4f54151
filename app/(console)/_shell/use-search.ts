"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useTRPC } from "#components/trpc.tsx";
import type { Found } from "#server/search/schema.ts";

const PAUSE_MS = 120;

/** Searches the account once the person has stopped typing; without a text it returns the resources with these ids. */
export function useSearch(text: string, ids: readonly string[]) {
  const trpc = useTRPC();
  const [asked, setAsked] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setAsked(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const input = asked === "" ? { ids: ids.join(",") } : { query: asked };
  const answer = useQuery({
    ...trpc.search.list.queryOptions(input),
    enabled: asked !== "" || ids.length > 0,
    placeholderData: keepPreviousData,
    staleTime: 5_000,
    meta: { still: true },
  });
  const settled = asked === text && !answer.isFetching;
  const found = answer.data?.found ?? [];
  // Earlier results stay while they match, so that nothing jumps and Enter never opens another resource.
  return {
    found: settled
      ? text === "" && ids.length === 0
        ? []
        : found
      : found.filter((one) => contains(one, text)),
    settled,
    error: answer.error,
  };
}

function contains({ label, detail, id }: Found, text: string): boolean {
  return text !== "" && `${label}\n${detail}\n${id}`.toLowerCase().includes(text.toLowerCase());
}
