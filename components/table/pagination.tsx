"use client";

import { usePathname, useSearchParams } from "next/navigation";
import type { MouseEvent } from "react";
import { Button } from "#components/ui/button.tsx";
import { inDigits } from "#components/ui/digits.ts";

/** The number of rows on all pages of a list. */
export type Total = { count: number; more: boolean };

/** The cursor of the page before each page that was opened here, empty for the newest; history loses it to panels. */
const newerOf = new Map<string, string>();

/** Returns the cursor of the page in the address, for the list's query. */
export function useCursor(): string | undefined {
  return useSearchParams().get("cursor") ?? undefined;
}

/**
 * Keyset paging through the address: `<Pagination nextCursor={page.nextCursor} />`. "Newer" is the browser's Back. `rows`
 * is the name of one row and of several.
 */
export function Pagination({
  nextCursor,
  total,
  rows = ["row", "rows"],
}: {
  nextCursor: string | null;
  total?: Total | undefined;
  rows?: readonly [one: string, several: string];
}) {
  const pathname = usePathname();
  const cursor = useCursor();
  const paged = cursor !== undefined || nextCursor !== null;
  if (!paged && !total?.count) return null;

  function older({ currentTarget }: MouseEvent<HTMLElement>) {
    if (!nextCursor) return;
    const params = new URLSearchParams(window.location.search);
    params.set("cursor", nextCursor);
    newerOf.set(nextCursor, cursor ?? "");
    window.history.pushState({ cameFromNewer: true }, "", `${pathname}?${params}`);
    const section = currentTarget.closest("section");
    if (section) section.scrollIntoView();
    else window.scrollTo(0, 0);
  }

  function newer() {
    // A page opened from a shared address has no newer page in its history, so "Newer" opens the newest page.
    if (window.history.state?.cameFromNewer) return window.history.back();
    const params = new URLSearchParams(window.location.search);
    const newerCursor = newerOf.get(cursor ?? "");
    if (newerCursor) params.set("cursor", newerCursor);
    else params.delete("cursor");
    window.history.replaceState(null, "", params.size > 0 ? `${pathname}?${params}` : pathname);
  }

  return (
    <div className="flex min-h-7 flex-wrap items-center justify-between gap-2 pt-3">
      <p className="text-13 text-muted tabular-nums">{total && totalText(total, rows)}</p>
      {paged && (
        <nav aria-label="Pages" className="flex gap-2">
          <Button size="sm" disabled={!cursor} onClick={newer}>
            Newer
          </Button>
          <Button size="sm" disabled={!nextCursor} onClick={older}>
            Older
          </Button>
        </nav>
      )}
    </div>
  );
}

/** Returns a total in words: `1 row`, `312 rows`, `1,000+ rows`. */
function totalText({ count, more }: Total, [one, several]: readonly [string, string]): string {
  return `${inDigits(count)}${more ? "+" : ""} ${count === 1 && !more ? one : several}`;
}

/**
 * Paging of an infinite query: `<LoadMore more={list.hasNextPage} pending={list.isFetchingNextPage}
 * onLoad={list.fetchNextPage} />`.
 */
export function LoadMore({ more, pending, onLoad }: { more: boolean; pending: boolean; onLoad: () => void }) {
  if (!more) return null;
  return (
    <div className="flex justify-center pt-3">
      <Button size="sm" pending={pending} onClick={() => onLoad()}>
        Load more
      </Button>
    </div>
  );
}
