"use client";

import { lazy, Suspense } from "react";
import { Copyable } from "#components/ui/copyable.tsx";

const NamedLink = lazy(() =>
  import("#app/(console)/_shell/named-link.tsx").then(({ NamedLink }) => ({ default: NamedLink })),
);

/** Links to a resource by its name; shows its id until the name is loaded, and if the person may not read it. */
export function ResourceLink({ id }: { id: string }) {
  return (
    <Suspense fallback={<Copyable value={id} />}>
      <NamedLink id={id} />
    </Suspense>
  );
}
