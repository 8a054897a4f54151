"use client";

import dynamic from "next/dynamic";

/** `ProjectGlance`, whose charts and tables the forms over the project's page do not ask for. */
export const LateGlance = dynamic(() =>
  import("#app/(console)/projects/[projectId]/project-glance.tsx").then(({ ProjectGlance }) => ProjectGlance),
);
