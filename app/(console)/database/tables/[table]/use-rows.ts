"use client";

import { keepPreviousData, useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import {
  type After,
  afterOf,
  PAGE,
  pageOf,
  type Row,
  type View,
} from "#app/(console)/database/tables/[table]/row-query.ts";
import { useTRPC, useTRPCClient } from "#components/trpc.tsx";

/** The rows that a view of a table asks for, page after page. */
export function useRows(view: View | undefined) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queries = useQueryClient();
  const ofTable = [...trpc.databases.query.mutationKey(), "rows", view?.table.name];
  const rows = useInfiniteQuery({
    queryKey: [...ofTable, view?.filters, view?.sort, view?.hidden],
    enabled: view !== undefined,
    initialPageParam: null as After,
    async queryFn({ pageParam }) {
      const asked = view as View;
      const answer = await client.databases.query.mutate(pageOf(asked, pageParam));
      // What the rows hold is known by the view that asked for them.
      return { view: asked, rows: answer.rows as Row[] };
    },
    getNextPageParam: (page, pages) => afterOf(page.view, page.rows, (pages.length - 1) * PAGE),
    placeholderData: keepPreviousData,
  });
  const [first] = rows.data?.pages ?? [];
  return {
    ...rows,
    /** The view that the rows are of: the one before, while the next ones are being read. */
    shownView: first?.view,
    rows: rows.data?.pages.flatMap((page) => page.rows),
    refresh: () => queries.invalidateQueries({ queryKey: ofTable }),
  };
}
