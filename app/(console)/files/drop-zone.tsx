"use client";

import { type DragEvent, type ReactNode, useState } from "react";
import { cn } from "#components/ui/cn.ts";

/** Accepts files dropped anywhere on the page. */
export function DropZone({
  disabled,
  onFiles,
  children,
}: {
  disabled: boolean;
  onFiles: (files: Iterable<File>) => void;
  children: ReactNode;
}) {
  const [over, setOver] = useState(false);
  if (disabled) return children;

  const accepts = (event: DragEvent) => event.dataTransfer.types.includes("Files");
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button "Upload files" does the same for everybody.
    <div
      className={cn("flex-1", over && "outline-2 outline-accent -outline-offset-4 outline-dashed")}
      onDragOver={(event) => {
        if (!accepts(event)) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
      }}
      onDrop={(event) => {
        if (!accepts(event)) return;
        event.preventDefault();
        setOver(false);
        onFiles(event.dataTransfer.files);
      }}
    >
      {children}
    </div>
  );
}
