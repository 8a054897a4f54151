"use client";

import Link from "next/link";
import type { ComponentProps } from "react";
import { inProject, leavesProject, useChosenProject } from "#components/ui/chosen-project.ts";

/** A link that keeps the chosen project; a link into another project loads a new document. */
export function ConsoleLink({
  href,
  prefetch,
  scroll,
  ...props
}: Omit<ComponentProps<"a">, "href"> & { href: string; prefetch?: false; scroll?: boolean }) {
  const projectId = useChosenProject();
  const to = inProject(href, projectId);
  if (leavesProject(to, projectId)) return <a href={to} {...props} />;
  return (
    <Link
      href={to}
      {...(prefetch === false && { prefetch })}
      {...(scroll !== undefined && { scroll })}
      {...props}
    />
  );
}
