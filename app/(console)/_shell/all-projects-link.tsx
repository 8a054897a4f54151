"use client";

import { usePathname, useSearchParams } from "next/navigation";
import type { ReactNode } from "react";
import { addressIn } from "#app/(console)/_shell/project-address.ts";
import { look } from "#components/ui/button.tsx";

/** Links to the same page outside the project; a new document, because this one may be inside the project. */
export function AllProjectsLink({ children }: { children: ReactNode }) {
  const pathname = usePathname();
  const search = String(useSearchParams());
  return (
    <a href={addressIn(null, { pathname, search })} className={look({})}>
      {children}
    </a>
  );
}
