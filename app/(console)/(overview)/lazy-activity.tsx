"use client";

import dynamic from "next/dynamic";

/** `Activity` in a chunk of its own, which the first steps and their forms do not load. */
export const LazyActivity = dynamic(() =>
  import("#app/(console)/(overview)/activity.tsx").then(({ Activity }) => Activity),
);
