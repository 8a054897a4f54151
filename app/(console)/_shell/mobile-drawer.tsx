"use client";

import { Menu as MenuIcon, X } from "lucide-react";
import { Dialog } from "radix-ui";
import { useState } from "react";
import { Navigation } from "#app/(console)/_shell/navigation.tsx";
import { Brand } from "#components/ui/brand.tsx";
import { scrim } from "#components/ui/dialog.tsx";
import { IconButton } from "#components/ui/icon-button.tsx";

/** The navigation below 768 px, behind its button. */
export function MobileDrawer() {
  const [open, setOpen] = useState(false);
  return (
    <Dialog.Root open={open} onOpenChange={setOpen}>
      <Dialog.Trigger asChild>
        <IconButton icon={MenuIcon} label="Open navigation" tip={false} className="md:hidden" />
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Overlay className={scrim} />
        <Dialog.Content
          aria-describedby={undefined}
          className="fixed inset-y-0 left-0 z-40 flex w-64 max-w-[85vw] animate-appear flex-col border-r bg-sunken outline-none"
        >
          <div className="flex h-12 shrink-0 items-center justify-between border-b px-4">
            <Brand />
            <Dialog.Close asChild>
              <IconButton icon={X} label="Close navigation" tip={false} />
            </Dialog.Close>
          </div>
          <Dialog.Title className="sr-only">Navigation</Dialog.Title>
          <Navigation onGo={() => setOpen(false)} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
