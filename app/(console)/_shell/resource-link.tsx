"use client";

import { lazy, Suspense } from "react";
import { Copyable } from "#components/ui/copyable.tsx";

const ResourceNameLink = lazy(() =>
  import("#app/(console)/_shell/resource-name-link.tsx").then(({ ResourceNameLink }) => ({
    default: ResourceNameLink,
  })),
);

/** Links to a resource by its name; shows its id until the name is loaded, and if the person may not read it. */
export function ResourceLink({ id }: { id: string }) {
  return (
    <Suspense fallback={<Copyable value={id} />}>
      <ResourceNameLink id={id} />
    </Suspense>
  );
}
