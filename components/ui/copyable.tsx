"use client";

import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { cn } from "#components/ui/cn.ts";
import { copyText } from "#components/ui/copy-text.ts";
import { plainName } from "#components/ui/plain-name.ts";
import { Pressable } from "#components/ui/pressable.tsx";
import { ShortText } from "#components/ui/short-text.tsx";

/** Copies a text and confirms it for two seconds. */
export function useCopy(text: string): { copied: boolean; copy: () => Promise<void> } {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 2_000);
    return () => clearTimeout(timer);
  }, [copied]);
  return {
    copied,
    copy: async () => setCopied(await copyText(text)),
  };
}

/** A button that copies `text`; its accessible name is `Copy ${what}`. */
export function CopyButton({ text, what, className }: { text: string; what: string; className?: string }) {
  const { copied, copy } = useCopy(text);
  const Icon = copied ? Check : Copy;
  return (
    <Pressable
      aria-label={copied ? "Copied" : `Copy ${what}`}
      title={copied ? "Copied" : "Copy"}
      onClick={copy}
      className={cn(
        "relative z-10 inline-flex size-6 shrink-0 items-center justify-center rounded-md text-muted hover:bg-hover hover:text-ink",
        className,
      )}
    >
      <Icon aria-hidden className={cn("size-3.5", copied && "text-ok")} />
    </Pressable>
  );
}

/**
 * An id, hash or address: shortened on screen, complete when copied: `<Copyable value={key.id} />`; `full` never
 * shortens it.
 */
export function Copyable({ value, full = false }: { value: string; full?: boolean }) {
  return (
    <span className="inline-flex min-w-0 max-w-full items-center gap-0.5 align-middle font-mono text-13">
      {full ? (
        <span className="min-w-0 break-all max-sm:text-12">{plainName(value)}</span>
      ) : (
        <ShortText short={shorten(value)} full={value} />
      )}
      <CopyButton text={value} what={value} />
    </span>
  );
}

/** Returns the prefix and the end of an id: the start of a UUIDv7 is its time, which ids made together share. */
export function shorten(value: string): string {
  if (value.length <= 20) return value;
  const head = value.includes("_") ? value.indexOf("_") + 5 : 8;
  return `${value.slice(0, Math.min(head, 14))}…${value.slice(-6)}`;
}
