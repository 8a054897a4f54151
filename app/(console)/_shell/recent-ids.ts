const PREFIX = "recent/";
const KEPT = 8;
const ID =
  /\/((?:key|proj|wal|ctc|run|tx|file|conn|wh|appr|art|ord|swap|del|evt|trg|wf|mem|eusr)_[0-9a-z]{26})(?=\/|$)/g;

/** Returns the id of the page's resource: the last id in its address. */
export function idIn(pathname: string): string | undefined {
  return [...pathname.matchAll(ID)].at(-1)?.[1];
}

/** Returns the owner of a list of recent ids: each project has its own. */
export const ownerIn = (owner: string, projectId: string | null) =>
  projectId ? `${owner}/${projectId}` : owner;

/**
 * Returns the ids of the resources that a person last visited in an account with this browser. Names are not stored.
 */
export function recentIds(owner: string): string[] {
  try {
    const found: unknown = JSON.parse(window.localStorage.getItem(PREFIX + owner) ?? "[]");
    return Array.isArray(found) ? found.filter((id) => typeof id === "string").slice(0, KEPT) : [];
  } catch {
    return [];
  }
}

/** Adds the resource at this address, if any, to the recent ones. */
export function keepRecent(owner: string, pathname: string): void {
  const id = idIn(pathname);
  if (!id) return;
  try {
    const next = [id, ...recentIds(owner).filter((other) => other !== id)].slice(0, KEPT);
    window.localStorage.setItem(PREFIX + owner, JSON.stringify(next));
  } catch {
    // Storage is full or forbidden: then nothing is offered.
  }
}

/** Removes the recent ids of everybody who has used this browser; called at sign-out. */
export function forgetRecent(): void {
  try {
    for (const key of Object.keys(window.localStorage))
      if (key.startsWith(PREFIX)) window.localStorage.removeItem(key);
  } catch {
    // If storage is forbidden, nothing was stored.
  }
}
