"use client";

import { Search } from "lucide-react";
import dynamic from "next/dynamic";
import { type ReactNode, useCallback, useState } from "react";
import { AccountMenu } from "#app/(console)/_shell/account-menu.tsx";
import { MobileDrawer } from "#app/(console)/_shell/mobile-drawer.tsx";
import { Navigation } from "#app/(console)/_shell/navigation.tsx";
import { useShortcuts } from "#app/(console)/_shell/use-shortcuts.ts";
import type { Viewer } from "#app/(console)/_shell/viewer.ts";
import { Brand } from "#components/ui/brand.tsx";
import { KeyboardHint } from "#components/ui/keyboard-hint.tsx";

const Palette = dynamic(() => import("#app/(console)/_shell/palette.tsx").then(({ Palette }) => Palette), {
  ssr: false,
});

/** The frame of every signed-in page: navigation at the left, search and account at the top, the page in `main`. */
export function Shell({
  viewer,
  onSignOut,
  children,
}: {
  viewer: Viewer;
  onSignOut: () => void;
  children: ReactNode;
}) {
  const [palette, setPalette] = useState<"unused" | "open" | "closed">("unused");
  const openPalette = useCallback(() => setPalette("open"), []);
  useShortcuts(openPalette);

  return (
    <div className="flex min-h-dvh">
      <a
        href="#main"
        className="fixed top-2 left-2 z-50 -translate-y-16 rounded-md border bg-raised px-3 py-2 shadow-float focus:translate-y-0"
      >
        Skip to content
      </a>
      <aside className="sticky top-0 hidden h-dvh w-56 shrink-0 flex-col border-r bg-sunken md:flex">
        <div className="flex h-12 shrink-0 items-center border-b px-4">
          <Brand />
        </div>
        <Navigation />
      </aside>
      <div className="flex min-w-0 flex-1 flex-col">
        <header className="sticky top-0 z-30 flex h-12 shrink-0 items-center justify-between gap-2 border-b bg-canvas px-4 sm:px-6">
          <div className="flex min-w-0 items-center gap-2">
            <MobileDrawer />
            {viewer && <span className="truncate font-medium">{viewer.account.name}</span>}
          </div>
          <div className="flex min-w-0 items-center gap-1">
            <button
              type="button"
              aria-label="Open command palette"
              onClick={openPalette}
              className="flex h-8 items-center gap-2 rounded-md px-2 text-muted hover:bg-hover hover:text-ink"
            >
              <Search aria-hidden className="size-4" />
              <span className="max-sm:hidden">
                <KeyboardHint keys={["⌘", "K"]} />
              </span>
            </button>
            <AccountMenu viewer={viewer} onSignOut={onSignOut} />
          </div>
        </header>
        <main id="main" tabIndex={-1} className="flex min-w-0 flex-1 flex-col outline-none">
          {children}
        </main>
      </div>
      {palette !== "unused" && (
        <Palette open={palette === "open"} onOpenChange={(open) => setPalette(open ? "open" : "closed")} />
      )}
    </div>
  );
}
