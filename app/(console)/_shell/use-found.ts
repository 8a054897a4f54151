"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useTRPC } from "#components/trpc.tsx";
import type { Found } from "#server/search/schema.ts";

const PAUSE_MS = 120;

/** What the account has for a text, asked for when the typing pauses; of none, the things with these ids. */
export function useFound(text: string, ids: readonly string[]) {
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
  // What was found for the text before stays while it fits, so that nothing jumps and Enter never takes another thing.
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
