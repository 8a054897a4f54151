"use client";

import { X } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { useDialogFocus } from "#components/ui/dialog-focus.ts";
import { IconButton } from "#components/ui/icon-button.tsx";
import { plainName } from "#components/ui/plain-name.ts";
import { useStay } from "#components/ui/stay.ts";
import { useTyped } from "#components/ui/typed.ts";

export type DialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description?: ReactNode;
  footer?: ReactNode;
  /** For what would be lost, such as a secret shown once: only its own buttons close the dialog, and `⌘K` does nothing. */
  persistent?: boolean;
  children?: ReactNode;
};

export const scrim = "fixed inset-0 z-40 animate-appear bg-scrim";

/** The panel of `Dialog`, which loads it. */
export function OpenDialog({
  open,
  onOpenChange,
  title,
  description,
  footer,
  persistent = false,
  children,
}: DialogProps) {
  const stay = persistent ? (event: Event) => event.preventDefault() : undefined;
  const focus = useDialogFocus();
  useStay(persistent);
  useTyped(persistent, { asks: false });
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className={scrim} />
        <Radix.Content
          {...focus}
          {...(stay && { onEscapeKeyDown: stay, onInteractOutside: stay })}
          {...(!description && { "aria-describedby": undefined })}
          data-persistent={persistent || undefined}
          className="fixed inset-x-2 top-1/2 z-40 mx-auto flex max-h-[calc(100dvh-2rem)] max-w-md -translate-y-1/2 animate-appear flex-col rounded-md border bg-raised shadow-float outline-none"
        >
          <header className="flex items-start justify-between gap-4 p-4 pb-0">
            <Radix.Title className="min-w-0 break-words font-semibold text-16">
              {plainName(title)}
            </Radix.Title>
            {!persistent && (
              <Radix.Close asChild>
                <IconButton icon={X} label="Close" />
              </Radix.Close>
            )}
          </header>
          <div className="flex min-h-0 flex-col gap-3 overflow-y-auto p-4">
            {description && <Radix.Description className="text-muted">{description}</Radix.Description>}
            {children}
          </div>
          {footer && (
            <footer className="flex flex-wrap justify-end gap-2 border-t px-4 py-3">{footer}</footer>
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
