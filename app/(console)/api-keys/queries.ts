import { defineList, oneOf, search, wordsOf } from "#components/table/list.ts";
import { inDigits } from "#components/ui/digits.ts";
import { KEY_STATUSES } from "#server/keys/statuses.ts";

export const keyList = defineList("api-keys", { search, status: oneOf("Status", wordsOf(KEY_STATUSES)) }, [
  "createdAt",
  "label",
]);

/** What the list asks for; `projectId` is the chosen project. */
export type KeysQuery = ReturnType<typeof keyList.query> & { projectId?: string };

/** Whether anything narrows or sorts the keys: then they are a list, from every level; else a tree. */
export const isNarrowed = ({ cursor: _, ...asked }: KeysQuery) => Object.keys(asked).length > 0;

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
