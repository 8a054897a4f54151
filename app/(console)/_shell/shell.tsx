"use client";

import { LogOut, Menu, Search } from "lucide-react";
import { usePathname } from "next/navigation";
import { type ReactNode, useCallback, useEffect, useState } from "react";
import { AccountMenu } from "#app/(console)/_shell/account-menu.tsx";
import { Navigation } from "#app/(console)/_shell/navigation.tsx";
import { ProjectNotice, ProjectSwitcher } from "#app/(console)/_shell/project-switcher.tsx";
import { useShortcuts } from "#app/(console)/_shell/use-shortcuts.ts";
import type { Viewer } from "#app/(console)/_shell/viewer.ts";
import { Brand } from "#components/ui/brand.tsx";
import { useChosenProject } from "#components/ui/chosen-project.ts";
import { IconButton } from "#components/ui/icon-button.tsx";
import { inBrowser } from "#components/ui/in-browser.tsx";
import { KeyboardHint } from "#components/ui/keyboard-hint.tsx";
import { useAskBeforeLeaving } from "#components/ui/leaving.ts";
import { Pressable } from "#components/ui/pressable.tsx";
import type { Project } from "#server/projects/schema.ts";

const Palette = inBrowser(() => import("#app/(console)/_shell/palette.tsx").then(({ Palette }) => Palette));
// Loaded before the network fails: afterwards nothing can be loaded.
const OfflineNotice = inBrowser(() =>
  import("#app/(console)/_shell/offline-notice.tsx").then(({ OfflineNotice }) => OfflineNotice),
);
const MobileDrawer = inBrowser(() =>
  import("#app/(console)/_shell/mobile-drawer.tsx").then(({ MobileDrawer }) => MobileDrawer),
);

/** The state of a part that loads when it first opens, and stays mounted for its closing animation. */
type Late = "unused" | "open" | "closed";

/** The frame of every signed-in page: navigation at the left, search and account at the top, the page in `main`. */
export function Shell({
  viewer,
  project,
  onSignOut,
  children,
}: {
  viewer: Viewer;
  /** The page's project as the server has read it. */
  project: Project | undefined;
  onSignOut: () => void;
  children: ReactNode;
}) {
  const [palette, setPalette] = useState<Late>("unused");
  const [drawer, setDrawer] = useState<Late>("unused");
  const openPalette = useCallback(() => setPalette("open"), []);
  useShortcuts(openPalette);
  useAskBeforeLeaving();
  const pathname = usePathname();
  const projectId = useChosenProject();
  const owner = viewer?.owner;
  useEffect(() => {
    if (!owner) return;
    // Loaded late, because no page waits for it.
    import("#app/(console)/_shell/recent-ids.ts").then(
      ({ keepRecent, ownerIn }) => keepRecent(ownerIn(owner, projectId), pathname),
      () => undefined,
    );
  }, [owner, projectId, pathname]);

  return (
    <div className="flex min-h-dvh">
      <a
        href="#main"
        className="fixed top-2 left-2 z-50 -translate-y-16 rounded-md border bg-raised px-3 py-2 focus:translate-y-0 focus:shadow-float"
      >
        Skip to content
      </a>
      <aside className="sticky top-0 hidden h-dvh w-56 shrink-0 flex-col border-r bg-sunken md:flex">
        <div className="flex h-12 shrink-0 items-center border-b px-4">
          <Brand />
        </div>
        <Navigation />
        {viewer && <SignOut onSignOut={onSignOut} />}
      </aside>
      <div className="flex min-w-0 flex-1 flex-col">
        <header className="sticky top-0 z-30 flex h-12 shrink-0 items-center justify-between gap-2 border-b bg-canvas px-4 sm:px-6">
          <div className="flex min-w-0 items-center gap-2">
            <IconButton
              icon={Menu}
              label="Open navigation"
              className="md:hidden"
              onClick={() => setDrawer("open")}
            />
            {viewer && (
              <>
                <span className="truncate font-medium max-sm:hidden">{viewer.account.name}</span>
                <span aria-hidden className="text-muted max-sm:hidden">
                  /
                </span>
                <ProjectSwitcher before={project} />
              </>
            )}
          </div>
          <div className="flex min-w-0 items-center gap-1">
            <Pressable
              onClick={openPalette}
              className="flex h-8 items-center gap-2 rounded-md px-2 text-muted hover:bg-hover hover:text-ink"
            >
              <Search aria-hidden className="size-4" />
              <span className="sr-only">Open command palette</span>
              <span className="max-sm:hidden">
                <KeyboardHint keys={[viewer?.commandKey ?? "⌘", "K"]} />
              </span>
            </Pressable>
            <AccountMenu viewer={viewer} onSignOut={onSignOut} />
          </div>
        </header>
        <main id="main" tabIndex={-1} className="flex min-w-0 flex-1 flex-col outline-none">
          <ProjectNotice before={project} />
          {children}
        </main>
      </div>
      <OfflineNotice />
      {drawer !== "unused" && (
        <MobileDrawer open={drawer === "open"} onOpenChange={(open) => setDrawer(open ? "open" : "closed")}>
          {viewer && <SignOut onSignOut={onSignOut} />}
        </MobileDrawer>
      )}
      {viewer && palette !== "unused" && (
        <Palette
          viewer={viewer}
          open={palette === "open"}
          onOpenChange={(open) => setPalette(open ? "open" : "closed")}
        />
      )}
    </div>
  );
}

/** The sign-out button at the bottom of the navigation. */
function SignOut({ onSignOut }: { onSignOut: () => void }) {
  return (
    <div className="mt-auto border-t p-2">
      <Pressable
        onClick={onSignOut}
        className="flex h-8 w-full items-center gap-2.5 rounded-md px-2 text-muted hover:bg-hover hover:text-ink"
      >
        <LogOut aria-hidden className="size-4" />
        Sign out
      </Pressable>
    </div>
  );
}
