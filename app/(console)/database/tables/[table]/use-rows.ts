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

/** Returns the rows of a view of a table, page by page. */
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
      // The rows are kept with the view that requested them, because the view defines their columns.
      return { view: asked, rows: answer.rows as Row[] };
    },
    getNextPageParam: (page, pages) => afterOf(page.view, page.rows, (pages.length - 1) * PAGE),
    placeholderData: keepPreviousData,
  });
  const [first] = rows.data?.pages ?? [];
  return {
    ...rows,
    /** The view of the shown rows: the previous one while the next rows are being read. */
    shownView: first?.view,
    rows: rows.data?.pages.flatMap((page) => page.rows),
    refresh: () => queries.invalidateQueries({ queryKey: ofTable }),
  };
}
