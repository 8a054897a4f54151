import { routes } from "#components/routes.ts";

const ID = /^[a-z]+_[0-9a-z]{26}$/;

/**
 * The same page within another project, or within all. What a project does not have, the page of one thing of another,
 * gives way to the list above it.
 */
export function addressIn(
  projectId: string | null,
  { pathname, search }: { pathname: string; search: string },
): string {
  const params = new URLSearchParams(search);
  params.delete("cursor");
  params.delete("projectId");
  if (projectId === null) return params.size > 0 ? `${pathname}?${params}` : pathname;
  const parts = pathname.split("/");
  const thing = parts.findIndex((part) => ID.test(part));
  if (thing < 0) return `${pathname}?${params.size > 0 ? `${params}&` : ""}projectId=${projectId}`;
  const list = parts.slice(0, thing).join("/");
  if (list === routes.projects.list()) return routes.projects.choose(projectId);
  return `${list}?projectId=${projectId}`;
}
