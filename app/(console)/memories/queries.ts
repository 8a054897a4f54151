import { counted, defineList, endUser, period, search, text } from "#components/table/list.ts";
import { plainName } from "#components/ui/plain-name.ts";

export const memoryList = defineList("memories", { search, tag: text("Tag", 100), endUser, ...period }, [
  "createdAt",
  "name",
]).asking(counted);

/** Returns a memory's title. */
export const titleOf = ({ name }: { name: string | null }) =>
  name === null ? "Memory without a name" : plainName(name);

interface Changed {
  name: string | null;
  endUser: string | null;
  readOnly: boolean;
}

/** True if a person can delete a memory: those of end users are changed with their keys, and a project may be archived. */
export const isDeletable = ({ endUser, readOnly }: Pick<Changed, "endUser" | "readOnly">) =>
  endUser === null && !readOnly;

/** True if a person can replace a memory: only a named one is replaced. */
export const isEditable = (memory: Changed) => memory.name !== null && isDeletable(memory);

/** Returns the context of a call about a memory: it acts in the memory's project, whichever is chosen. */
export const within = ({ projectId }: { projectId: string | null }) => ({
  context: { ...(projectId && { projectId }) },
});
