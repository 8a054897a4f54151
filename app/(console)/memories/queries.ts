import { counted, defineList, linked, period, search, text } from "#components/table/list.ts";
import { plainName } from "#components/ui/plain-name.ts";

export const memoryList = defineList(
  "memories",
  { search, tag: text("Tag", 100), endUser: linked("End user"), ...period },
  ["createdAt"],
).asking(counted);

/** Returns a memory's title. */
export const titleOf = ({ name }: { name: string | null }) =>
  name === null ? "Memory without a name" : plainName(name);

/**
 * True if a person can replace a memory: only a named one is replaced, and those of end users are changed with their
 * keys.
 */
export const isEditable = ({ name, endUser }: { name: string | null; endUser: string | null }) =>
  name !== null && endUser === null;

/** Returns the context of a call about a memory: it acts in the memory's project, whichever is chosen. */
export const within = ({ projectId }: { projectId: string | null }) => ({
  context: { ...(projectId && { projectId }) },
});
