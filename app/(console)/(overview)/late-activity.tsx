"use client";

import dynamic from "next/dynamic";

/** `Activity`, whose scripts only those documents ask for that show it: not the first steps and their forms. */
export const LateActivity = dynamic(() =>
  import("#app/(console)/(overview)/activity.tsx").then(({ Activity }) => Activity),
);
