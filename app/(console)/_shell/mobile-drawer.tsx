"use client";

import { X } from "lucide-react";
import { Dialog } from "radix-ui";
import type { ReactNode } from "react";
import { Navigation } from "#app/(console)/_shell/navigation.tsx";
import { Brand } from "#components/ui/brand.tsx";
import { useDialogFocus } from "#components/ui/dialog-focus.ts";
import { scrim } from "#components/ui/dialog-open.tsx";
import { IconButton } from "#components/ui/icon-button.tsx";

/** The navigation below 768 px, with `children` at the bottom. Loaded when it first opens. */
export function MobileDrawer({
  open,
  onOpenChange,
  children,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  children: ReactNode;
}) {
  const focus = useDialogFocus();
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Overlay className={scrim} />
        <Dialog.Content
          {...focus}
          aria-describedby={undefined}
          className="fixed inset-y-0 left-0 z-40 flex w-64 max-w-[85vw] animate-appear flex-col border-r bg-sunken outline-none"
        >
          <div className="flex h-12 shrink-0 items-center justify-between border-b px-4">
            <Brand />
            <Dialog.Close asChild>
              <IconButton icon={X} label="Close navigation" />
            </Dialog.Close>
          </div>
          <Dialog.Title className="sr-only">Navigation</Dialog.Title>
          <Navigation onGo={() => onOpenChange(false)} />
          {children}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
