import { createHash } from "node:crypto";
import { invalid } from "#server/operation/errors.ts";
import type { Total } from "#server/operation/page.ts";

interface ListRequest {
  limit: number;
  cursor?: string | undefined;
  total?: "include" | undefined;
}

/**
 * Returns a page of an in-memory list, in list order, of the items that pass `keep`. The cursor names the last item
 * and is bound to the query fields that select; it stays valid even if that item no longer passes. `total` counts the
 * items of all pages, if the request asks for it.
 */
export function pageOfList<Item>(
  items: readonly Item[],
  nameOf: (item: Item) => string,
  { limit, cursor, total, ...filters }: ListRequest & Record<string, unknown>,
  keep: (item: Item) => boolean = () => true,
): { page: Item[]; nextCursor: string | null; total: Total | undefined } {
  const rest = items.slice(cursor === undefined ? 0 : placeAfter(cursor)).filter(keep);
  const page = rest.slice(0, limit);
  const last = page.at(-1);
  return {
    page,
    nextCursor: last && rest.length > limit ? cursorOf(nameOf(last)) : null,
    total: total && { count: items.filter(keep).length, more: false },
  };

  function cursorOf(name: string): string {
    const bound = createHash("sha256")
      .update(JSON.stringify([filters, name]))
      .digest("base64url");
    return `${bound.slice(0, 12)}${Buffer.from(name).toString("base64url")}`;
  }

  function placeAfter(text: string): number {
    const place = items.findIndex((item) => cursorOf(nameOf(item)) === text);
    if (place < 0)
      throw invalid(
        "query.cursor",
        "Not a cursor of this list with these filters. Start again without a cursor.",
      );
    return place + 1;
  }
}
