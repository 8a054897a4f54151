"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { Button } from "#components/ui/button.tsx";

/** The cursor of the page in the address, to pass to the list's query. */
export function useCursor(): string | undefined {
  return useSearchParams().get("cursor") ?? undefined;
}

/** Keyset paging through the address: `<Pagination nextCursor={page.nextCursor} />`. "Newer" is the browser's Back. */
export function Pagination({ nextCursor }: { nextCursor: string | null }) {
  const pathname = usePathname();
  const cursor = useCursor();
  if (!cursor && !nextCursor) return null;

  function older() {
    const params = new URLSearchParams(window.location.search);
    params.set("cursor", nextCursor ?? "");
    window.history.pushState({ cameFromNewer: true }, "", `${pathname}?${params}`);
  }

  function newer() {
    // A shared address has no newer page behind it, so there it means the newest.
    if (window.history.state?.cameFromNewer) return window.history.back();
    const params = new URLSearchParams(window.location.search);
    params.delete("cursor");
    window.history.replaceState(null, "", params.size > 0 ? `${pathname}?${params}` : pathname);
  }

  return (
    <nav aria-label="Pages" className="flex justify-end gap-2 pt-3">
      <Button size="sm" disabled={!cursor} onClick={newer}>
        Newer
      </Button>
      <Button size="sm" disabled={!nextCursor} onClick={older}>
        Older
      </Button>
    </nav>
  );
}

/** Paging of an infinite query: `<LoadMore more={list.hasNextPage} pending={list.isFetchingNextPage} onLoad={list.fetchNextPage} />`. */
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
