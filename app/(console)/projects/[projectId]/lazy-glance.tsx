"use client";

import dynamic from "next/dynamic";

/** `ProjectGlance` in a chunk of its own, which the forms over the project's page do not load. */
export const LazyGlance = dynamic(() =>
  import("#app/(console)/projects/[projectId]/project-glance.tsx").then(({ ProjectGlance }) => ProjectGlance),
);
