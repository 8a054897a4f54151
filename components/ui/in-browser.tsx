"use client";

import { type ComponentType, lazy, type ReactNode, Suspense } from "react";
import { useHydrated } from "#components/ui/hydrated.ts";

/**
 * A component that the browser alone renders; `load` imports its scripts once it does. `next/dynamic` does the same with a
 * kilobyte more in every document.
 */
export function inBrowser<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  placeholder: ReactNode = null,
) {
  const Late = lazy(async () => ({ default: await load() }));
  return (props: Props) => (
    <OnceHydrated placeholder={placeholder}>
      <Late {...props} />
    </OnceHydrated>
  );
}

function OnceHydrated({ placeholder, children }: { placeholder: ReactNode; children: ReactNode }) {
  return useHydrated() ? <Suspense fallback={placeholder}>{children}</Suspense> : placeholder;
}
