"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import { Tabs as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { cn } from "#components/ui/cn.ts";

const tab =
  "-mb-px flex h-9 shrink-0 items-center border-transparent border-b-2 px-1 text-14 text-muted hover:text-ink focus-visible:-outline-offset-2 aria-[current=page]:border-accent aria-[current=page]:text-ink data-[state=active]:border-accent data-[state=active]:text-ink";
const bar = "flex gap-4 overflow-x-auto border-b";

/** Parts of one page with addresses of their own: `<TabLinks label="Key" tabs={[{ href, label: "Access" }]} />`. Prefer it to `Tabs`. */
export function TabLinks({
  label,
  tabs,
}: {
  label: string;
  /** `also`: below which other addresses the tab is the present one too. */
  tabs: readonly { href: string; label: string; also?: string }[];
}) {
  const pathname = usePathname();
  const isAt = (href: string, also?: string) =>
    pathname === href || (also !== undefined && pathname.startsWith(`${also}/`));
  return (
    <nav aria-label={label} className={bar}>
      {tabs.map(({ href, label, also }) => (
        <Link key={href} href={href} aria-current={isAt(href, also) ? "page" : undefined} className={tab}>
          {label}
        </Link>
      ))}
    </nav>
  );
}

/** Small alternatives inside a page, such as the languages of an example: `<Tabs label="Language" tabs={[{ id, label, content }]} />`. */
export function Tabs({
  label,
  tabs,
  className,
}: {
  label: string;
  tabs: readonly { id: string; label: string; content: ReactNode }[];
  className?: string;
}) {
  return (
    <Radix.Root defaultValue={tabs[0]?.id ?? ""} className={cn("min-w-0", className)}>
      <Radix.List aria-label={label} className={bar}>
        {tabs.map(({ id, label }) => (
          <Radix.Trigger key={id} value={id} className={tab}>
            {label}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map(({ id, content }) => (
        <Radix.Content key={id} value={id} className="pt-3">
          {content}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}
