"use client";

import { usePathname, useSearchParams } from "next/navigation";
import type { ReactNode } from "react";
import { addressIn } from "#app/(console)/_shell/project-address.ts";
import { look } from "#components/ui/button.tsx";

/** Leads to the same address without its project; a whole new page, because this one may be of the project. */
export function AllProjectsLink({ children }: { children: ReactNode }) {
  const pathname = usePathname();
  const search = String(useSearchParams());
  return (
    <a href={addressIn(null, { pathname, search })} className={look({})}>
      {children}
    </a>
  );
}
