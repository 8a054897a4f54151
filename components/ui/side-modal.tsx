"use client";

import { X } from "lucide-react";
import { useRouter } from "next/navigation";
import { Dialog } from "radix-ui";
import type { ReactNode } from "react";
import { cn } from "#components/ui/cn.ts";
import { scrim } from "#components/ui/dialog.tsx";
import { useDialogFocus } from "#components/ui/dialog-focus.ts";
import { IconButton } from "#components/ui/icon-button.tsx";

/** Leaves a side modal for the page below it; the list's filters stay in the address. */
export function useCloseTo(parent: string): () => void {
  const router = useRouter();
  return () => router.push(parent + window.location.search, { scroll: false });
}

/**
 * A side panel that is a route: its `page.tsx` renders it, the list below is the layout around it, and
 * closing goes to `parent`: `<SideModal title="Key" parent={routes.apiKeys()}>…</SideModal>`.
 */
export function SideModal({
  title,
  description,
  parent,
  footer,
  wide = false,
  bare = false,
  children,
}: {
  title: string;
  description?: ReactNode;
  parent: string;
  footer?: ReactNode;
  wide?: boolean;
  /** The children bring their own padding, scrolling and footer. */
  bare?: boolean;
  children: ReactNode;
}) {
  const close = useCloseTo(parent);
  const focus = useDialogFocus();
  return (
    <Dialog.Root open onOpenChange={(open) => !open && close()}>
      <Dialog.Portal>
        <Dialog.Overlay className={scrim} />
        <Dialog.Content
          {...focus}
          {...(!description && { "aria-describedby": undefined })}
          className={cn(
            "fixed inset-y-0 right-0 z-40 flex w-full animate-slide flex-col bg-raised shadow-float outline-none sm:border-l",
            wide ? "max-w-3xl" : "max-w-lg",
          )}
        >
          <header className="flex items-start justify-between gap-4 border-b px-4 py-3">
            <div className="min-w-0">
              <Dialog.Title className="break-words font-semibold text-16">{title}</Dialog.Title>
              {description && (
                <Dialog.Description className="mt-0.5 text-13 text-muted">{description}</Dialog.Description>
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
            <footer className="flex flex-wrap justify-end gap-2 border-t px-4 py-3">{footer}</footer>
          )}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
