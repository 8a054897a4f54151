"use client";

import { X } from "lucide-react";
import { Dialog } from "radix-ui";
import { useEffect, useState } from "react";
import { type SideModalProps, useCloseTo } from "#components/ui/close-side-modal.ts";
import { cn } from "#components/ui/cn.ts";
import { OpenConfirmDialog } from "#components/ui/confirm-dialog-open.tsx";
import { useDialogFocus } from "#components/ui/dialog-focus.ts";
import { scrim } from "#components/ui/dialog-open.tsx";
import { IconButton } from "#components/ui/icon-button.tsx";
import { plainName, plainText } from "#components/ui/plain-name.ts";
import { anythingTyped } from "#components/ui/typed.ts";

/** The panel of `SideModal`, which loads it. */
export function OpenSideModal({
  title,
  description,
  parent,
  footer,
  wide = false,
  bare = false,
  children,
}: SideModalProps) {
  const close = useCloseTo(parent);
  const focus = useDialogFocus();
  const [asking, setAsking] = useState(false);
  useEffect(() => {
    window.addEventListener("beforeunload", keepTyped);
    return () => window.removeEventListener("beforeunload", keepTyped);
  }, []);
  return (
    <Dialog.Root open onOpenChange={(open) => !open && close()}>
      <Dialog.Portal>
        <Dialog.Overlay className={scrim} />
        <Dialog.Content
          {...focus}
          onInteractOutside={keepTyped}
          onEscapeKeyDown={(event) => {
            if (!bare || !anythingTyped()) return;
            event.preventDefault();
            setAsking(true);
          }}
          {...(!description && { "aria-describedby": undefined })}
          className={cn(
            "fixed inset-y-0 right-0 z-40 flex w-full animate-slide flex-col bg-raised shadow-float outline-none sm:border-l",
            wide ? "max-w-3xl" : "max-w-lg",
          )}
        >
          <header className="flex items-start justify-between gap-4 border-b px-4 py-3">
            <div className="min-w-0">
              <Dialog.Title className="break-words font-semibold text-16">{plainName(title)}</Dialog.Title>
              {description && (
                <Dialog.Description className="mt-0.5 text-13 text-muted">
                  {plainText(description)}
                </Dialog.Description>
              )}
            </div>
            <Dialog.Close asChild>
              <IconButton icon={X} label="Close" />
            </Dialog.Close>
          </header>
          {bare ? (
            children
          ) : (
            <div className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto p-4">{children}</div>
          )}
          {footer && (
            <footer data-actions className="flex flex-wrap justify-end gap-2 border-t px-4 py-3">
              {footer}
            </footer>
          )}
          {/* Loaded with the panel: the network may be gone. */}
          <OpenConfirmDialog
            title="Discard what you typed?"
            action="Discard"
            dismiss="Keep editing"
            open={asking}
            onOpenChange={setAsking}
            pending={false}
            error={null}
            onConfirm={close}
          >
            It is not stored anywhere yet.
          </OpenConfirmDialog>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** Keeps the panel open while it holds typed text: a click beside it, or on a notice, is no decision to lose that. */
function keepTyped(event: Event): void {
  if (anythingTyped() || isNotice(event.target)) event.preventDefault();
}

const isNotice = (target: EventTarget | null) =>
  target instanceof Element && target.closest("[role=status]") !== null;
