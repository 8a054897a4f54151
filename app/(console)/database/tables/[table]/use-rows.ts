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
import { useHydrated } from "#components/ui/hydrated.ts";

/** Returns the rows of a view of a table, page by page. */
export function useRows(view: View | undefined) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queries = useQueryClient();
  // The browser knows the hidden columns, so the server's document does not.
  const hydrated = useHydrated();
  const ofTable = [...trpc.databases.query.mutationKey(), "rows", view?.table.name];
  const rows = useInfiniteQuery({
    queryKey: [...ofTable, view?.filters, view?.sort, view?.hidden],
    enabled: hydrated && view !== undefined,
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
