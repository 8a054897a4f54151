"use client";

import { type ComponentType, lazy, type ReactNode, Suspense } from "react";
import { useHydrated } from "#components/ui/hydrated.ts";

/**
 * Wraps a component that is rendered only in the browser; `load` imports its scripts then. `next/dynamic` does the same
 * but adds a kilobyte to every document. A page is a server component, which can't defer an import: a client module
 * `lazy-….tsx` beside it does.
 */
export function inBrowser<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  placeholder: ReactNode = null,
) {
  const Lazy = lazy(async () => ({ default: await load() }));
  return (props: Props) => (
    <OnceHydrated placeholder={placeholder}>
      <Lazy {...props} />
    </OnceHydrated>
  );
}

function OnceHydrated({ placeholder, children }: { placeholder: ReactNode; children: ReactNode }) {
  return useHydrated() ? <Suspense fallback={placeholder}>{children}</Suspense> : placeholder;
}
