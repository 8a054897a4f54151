"use client";

import { usePathname } from "next/navigation";
import { ConsoleLink } from "#components/ui/console-link.tsx";

const tab =
  "-mb-px flex h-9 shrink-0 items-center border-transparent border-b-2 px-1 text-14 text-muted hover:text-ink focus-visible:-outline-offset-2 aria-[current=page]:border-accent aria-[current=page]:text-ink";
const bar = "flex gap-4 overflow-x-auto border-b";

/**
 * Links to parts of one page that have their own addresses: `<TabLinks label="Key" tabs={[{ href, label: "Access" }]}
 * />`.
 */
export function TabLinks({
  label,
  tabs,
}: {
  label: string;
  /** `also` is a path below which the tab is the current one too. */
  tabs: readonly { href: string; label: string; also?: string }[];
}) {
  const pathname = usePathname();
  const isAt = (href: string, also?: string) =>
    pathname === href || (also !== undefined && pathname.startsWith(`${also}/`));
  return (
    <nav aria-label={label} className={bar}>
      {tabs.map(({ href, label, also }) => (
        <ConsoleLink
          key={href}
          href={href}
          aria-current={isAt(href, also) ? "page" : undefined}
          className={tab}
        >
          {label}
        </ConsoleLink>
      ))}
    </nav>
  );
}
