"use client";

import { Tooltip } from "radix-ui";
import type { ReactElement } from "react";

/** A sentence on hover and focus of one focusable child: `<Tip text="…"><button … /></Tip>`. Never the only place of a fact. */
export function Tip({ text, children }: { text: string; children: ReactElement }) {
  return (
    <Tooltip.Provider delayDuration={300}>
      <Tooltip.Root>
        <Tooltip.Trigger asChild>{children}</Tooltip.Trigger>
        <Tooltip.Portal>
          <Tooltip.Content
            sideOffset={4}
            collisionPadding={8}
            className="z-50 max-w-72 animate-appear break-words rounded-md border bg-raised px-2 py-1 text-12 text-ink shadow-float"
          >
            {text}
          </Tooltip.Content>
        </Tooltip.Portal>
      </Tooltip.Root>
    </Tooltip.Provider>
  );
}
