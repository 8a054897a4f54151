"use client";

import { type ReactNode, useEffect } from "react";
import { Shell } from "#app/(console)/_shell/shell.tsx";
import type { Viewer } from "#app/(console)/_shell/viewer.ts";
import type { Project } from "#server/projects/schema.ts";

/** Connects the shell with the session. */
export function ConsoleFrame({
  viewer,
  project,
  children,
}: {
  viewer: Viewer;
  project: Project | undefined;
  children: ReactNode;
}) {
  useEffect(() => {
    // The service worker responds while the server cannot be reached. A private window may refuse it.
    navigator.serviceWorker?.register("/service-worker.js").catch(() => undefined);
  }, []);
  return (
    <Shell
      viewer={viewer}
      project={project}
      onSignOut={() => import("#app/(console)/_shell/end-session.ts").then(({ endSession }) => endSession())}
    >
      {children}
    </Shell>
  );
}
