import { counted, defineList, endUser, oneOf, period, search, wordsOf } from "#components/table/list.ts";
import { inDigits } from "#components/ui/digits.ts";
import { DAY_MS } from "#server/base/durations.ts";
import { KEY_STATUSES } from "#server/keys/statuses.ts";

/** Expiries ahead, by the number of days. */
const expiries = [
  { value: "7", label: "Within 7 days" },
  { value: "30", label: "Within 30 days" },
  { value: "90", label: "Within 90 days" },
] as const;

/** Whole days, so that the query stays the same from one rendering to the next. */
const endOfDay = (days: number) => new Date((Math.floor(Date.now() / DAY_MS) + 1 + days) * DAY_MS);

/** Lists keys. Those that expire soon are active ones, unless the address names another status. */
export const keyList = defineList(
  "api-keys",
  {
    search,
    status: oneOf("Status", wordsOf(KEY_STATUSES)),
    expiry: oneOf("Expiry", expiries),
    endUser,
    ...period,
  },
  ["createdAt", "label"],
).asking(({ expiry, ...query }) => ({
  ...query,
  ...(expiry && {
    status: query.status ?? ("active" as const),
    expiresBefore: endOfDay(Number(expiry)).toISOString(),
  }),
}));

/** The query of the list; `projectId` is the chosen project. */
export type KeysQuery = ReturnType<typeof keyList.query> & { projectId?: string };

/** True if the keys are filtered or sorted: then they are a flat list, otherwise a tree. */
export const isNarrowed = ({ cursor: _, ...asked }: KeysQuery) => Object.keys(asked).length > 0;

/** The query of a page of keys that match the filters. */
export const flatQuery = (asked: KeysQuery) => counted(asked);

/** The query of a page of root keys. */
export const rootsQuery = (cursor?: string) => counted({ ...(cursor && { cursor }) });

/** The query of an opened level of the tree, of the maximum size. */
export const levelQuery = (parentId: string) => ({ parentId, limit: 100 });

/** The query of a key's newest direct children. */
export const childrenQuery = (parentId: string) => ({ parentId, limit: 10 });

/** The direct children of a key, on its page. */
export const childList = defineList(
  "child-keys",
  { search, status: oneOf("Status", wordsOf(KEY_STATUSES)), ...period },
  ["createdAt", "label"],
).asking((query) => counted({ ...query, limit: 10 }));

export const countOf = (keys: number) => (keys === 1 ? "1 key" : `${inDigits(keys)} keys`);

/** Returns the keys that are open at first: the first few roots, if they have few children. */
export const openFirst = (roots: readonly { id: string; children: number }[]) =>
  roots
    .filter(({ children }) => children > 0 && children <= 20)
    .slice(0, 10)
    .map(({ id }) => id);
