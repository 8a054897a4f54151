const PREFIX = "recent/";
const KEPT = 8;
const ID = /\/((?:key|proj|wal|run|tx|file|conn|wh|appr|art|ord|swap|del|evt|trg|wf)_[0-9a-z]{26})(?=\/|$)/g;

/** The id of the thing that a page is about: the last one in its address. */
export function idIn(pathname: string): string | undefined {
  return [...pathname.matchAll(ID)].at(-1)?.[1];
}

/** Whose recent things are meant: each project has its own. */
export const ownerIn = (owner: string, projectId: string | null) =>
  projectId ? `${owner}/${projectId}` : owner;

/** The ids of what was last looked at in this browser, by a person in an account; their names are asked for anew. */
export function recentIds(owner: string): string[] {
  try {
    const found: unknown = JSON.parse(window.localStorage.getItem(PREFIX + owner) ?? "[]");
    return Array.isArray(found) ? found.filter((id) => typeof id === "string").slice(0, KEPT) : [];
  } catch {
    return [];
  }
}

/** Keeps that the page at this address was looked at, if it is about a thing. */
export function keepRecent(owner: string, pathname: string): void {
  const id = idIn(pathname);
  // The search, which names what was recent, does not find triggers.
  if (!id || id.startsWith("trg_")) return;
  try {
    const next = [id, ...recentIds(owner).filter((other) => other !== id)].slice(0, KEPT);
    window.localStorage.setItem(PREFIX + owner, JSON.stringify(next));
  } catch {
    // Full or forbidden: then nothing is offered.
  }
}

/** Forgets what everybody who has used this browser looked at: called at sign-out. */
export function forgetRecent(): void {
  try {
    for (const key of Object.keys(window.localStorage))
      if (key.startsWith(PREFIX)) window.localStorage.removeItem(key);
  } catch {
    // Where storage is forbidden, nothing was kept.
  }
}
