import { routes } from "#components/routes.ts";

const ID = /^[a-z]+_[0-9a-z]{26}$/;

/**
 * Returns the address of the same page in another project, or outside projects. The page of a single resource, which
 * the other project does not have, becomes the list above it.
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
  const resource = parts.findIndex((part) => ID.test(part));
  if (resource < 0) return `${pathname}?${params.size > 0 ? `${params}&` : ""}projectId=${projectId}`;
  const list = parts.slice(0, resource).join("/");
  if (list === routes.projects.list()) return routes.projects.choose(projectId);
  return `${list}?projectId=${projectId}`;
}
