"use client";

import { type ReactNode, useEffect } from "react";
import { Shell } from "#app/(console)/_shell/shell.tsx";
import type { Viewer } from "#app/(console)/_shell/viewer.ts";
import { routes } from "#components/routes.ts";
import { expectNoSession } from "#components/trpc.tsx";
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
  async function endSession() {
    const [{ signOut }, { forgetStatements }, { forgetRecent }] = await Promise.all([
      import("next-auth/react"),
      import("#app/(console)/database/sql/browser-store.ts"),
      import("#app/(console)/_shell/recent-ids.ts"),
    ]);
    forgetStatements();
    forgetRecent();
    expectNoSession();
    await signOut({ callbackUrl: routes.signIn() });
  }
  return (
    <Shell viewer={viewer} project={project} onSignOut={endSession}>
      {children}
    </Shell>
  );
}
