import { inDigits } from "#components/ui/digits.ts";

export const filterNames = ["search", "status"] as const;

/** `projectId` is the chosen project. */
export type KeyFilters = Record<(typeof filterNames)[number] | "projectId" | "sort", string>;

const sorts = ["createdAt", "label", "-label"] as const;

export const statuses = [
  { value: "active", label: "Active" },
  { value: "expired", label: "Expired" },
  { value: "revoked", label: "Revoked" },
] as const;

/** The status that an address asks for; it may hold anything. */
export function statusOf({ status }: { status: string }) {
  return statuses.find(({ value }) => value === status)?.value;
}

/** What the list asks for, from every level; null where nothing narrows or sorts it, and the tree stands in its place. */
export function keysQuery(filters: KeyFilters, cursor?: string) {
  const [status, search] = [statusOf(filters), filters.search.trim().slice(0, 200)];
  const sort = sorts.find((one) => one === filters.sort);
  if (!status && !search && !filters.projectId && !sort) return null;
  return {
    ...(sort && { sort }),
    ...(status && { status }),
    ...(search && { search }),
    ...(filters.projectId && { projectId: filters.projectId }),
    ...(cursor && { cursor }),
  };
}

/** What a page of root keys asks for. */
export const rootsQuery = (cursor?: string) => ({ ...(cursor && { cursor }) });

/** What a level of the tree asks for, when it is opened: as many as one call answers. */
export const levelQuery = (parentId: string) => ({ parentId, limit: 100 });

/** What a page of the keys right below one asks for. */
export const childrenQuery = (parentId: string, cursor?: string) => ({
  parentId,
  limit: 10,
  ...(cursor && { cursor }),
});

export const countOf = (keys: number) => (keys === 1 ? "1 key" : `${inDigits(keys)} keys`);

/** A tree begins with its first two levels: of the first few roots, where the second one is not long. */
export const openFirst = (roots: readonly { id: string; children: number }[]) =>
  roots
    .filter(({ children }) => children > 0 && children <= 20)
    .slice(0, 10)
    .map(({ id }) => id);
