"use client";

import { Check, Copy } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "#components/ui/button.tsx";
import { useCopy } from "#components/ui/copyable.tsx";
import { Dialog } from "#components/ui/dialog.tsx";

/** Shows a new secret once; only its own button closes it: `<ShownOnce title secret onDone>…</ShownOnce>`. */
export function ShownOnce({
  title,
  secret,
  what = "secret",
  description = "It is shown this once. Store it where your backend reads its secrets; nobody, not even we, can show it again.",
  done = "I have stored it",
  onDone,
  children,
}: {
  title: string;
  secret: string;
  /** The secret's name on the copy button. */
  what?: string;
  description?: string;
  /** The label of the button that closes it. */
  done?: string;
  onDone: () => void;
  children?: ReactNode;
}) {
  const { copied, copy } = useCopy(secret);
  return (
    <Dialog
      open
      persistent
      onOpenChange={onDone}
      title={title}
      description={description}
      footer={
        <Button variant="primary" onClick={onDone}>
          {done}
        </Button>
      }
    >
      <div className="flex flex-col gap-2 rounded-md border border-line-strong bg-sunken p-3">
        <code className="break-all font-mono text-13">{secret}</code>
        <Button className="self-start" onClick={copy}>
          {copied ? (
            <Check aria-hidden className="size-4 text-ok" />
          ) : (
            <Copy aria-hidden className="size-4" />
          )}
          {copied ? "Copied" : `Copy ${what}`}
        </Button>
      </div>
      {children}
    </Dialog>
  );
}
