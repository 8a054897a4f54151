"use client";

import { useQuery } from "@tanstack/react-query";
import { LoaderCircle } from "lucide-react";
import { useLinkStatus } from "next/link";
import { usePathname } from "next/navigation";
import { placeIcons } from "#app/(console)/_shell/place-icons.ts";
import { isAt, places, routes } from "#components/routes.ts";
import { useTRPC } from "#components/trpc.tsx";
import { ConsoleLink } from "#components/ui/console-link.tsx";

/**
 * The links to all pages, in groups; in the sidebar and in the drawer of small screens. None is prefetched: that would
 * be forty requests for each page, and a page loads within 100 ms.
 */
export function Navigation({ onGo }: { onGo?: () => void }) {
  const pathname = usePathname();
  return (
    <nav aria-label="Main" className="flex flex-col gap-3 overflow-y-auto p-2">
      {places.map((group) => (
        <ul key={group[0]?.label} className="flex flex-col gap-px">
          {group.map((place) => {
            const Icon = placeIcons[place.label];
            return (
              <li key={place.label} className="relative">
                <ConsoleLink
                  href={place.path}
                  prefetch={false}
                  aria-current={isAt(place, pathname) ? "page" : undefined}
                  onClick={onGo}
                  className="group flex h-8 items-center md:h-7 gap-2.5 rounded-md px-2 text-muted hover:bg-hover hover:text-ink focus-visible:-outline-offset-2 aria-[current=page]:bg-accent-soft aria-[current=page]:font-medium aria-[current=page]:text-ink"
                >
                  {Icon && <Icon aria-hidden className="size-4 group-aria-[current=page]:text-accent-text" />}
                  {place.label}
                  <LinkSpinner />
                </ConsoleLink>
                {place.path === routes.approvals.list() && <PendingApprovals />}
              </li>
            );
          })}
        </ul>
      ))}
    </nav>
  );
}

/** Spins while the page of the surrounding link takes long to load. */
function LinkSpinner() {
  const { pending } = useLinkStatus();
  if (!pending) return null;
  return <LoaderCircle aria-hidden className="ml-auto size-3.5 animate-late-spin" />;
}

const MAX_SHOWN = 99;

/** Shows the number of pending approvals beside their link; nothing if there are none. */
function PendingApprovals() {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.approvals.pending.read.queryOptions({}));
  if (!data?.pending) return null;
  return (
    <span className="pointer-events-none absolute top-1.5 right-2 md:top-1 flex h-5 min-w-5 items-center justify-center rounded-md bg-warn-soft px-1 font-medium text-12 text-warn tabular-nums">
      <span aria-hidden="true">{data.pending > MAX_SHOWN ? `${MAX_SHOWN}+` : data.pending}</span>
      <span className="sr-only">{data.pending} pending</span>
    </span>
  );
}
