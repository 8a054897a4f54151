"use client";

import { Popover } from "radix-ui";
import { type ReactElement, useState } from "react";
import { FindProject } from "#app/(console)/_shell/find-project.tsx";

/** The menu of all projects; it opens when it mounts. */
export function ProjectChoices({ trigger, chosen }: { trigger: ReactElement; chosen: string | null }) {
  const [open, setOpen] = useState(true);
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger asChild>{trigger}</Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          aria-label="Choose a project"
          align="start"
          sideOffset={4}
          collisionPadding={8}
          className="z-50 w-80 max-w-[calc(100vw-1rem)] animate-appear overflow-hidden rounded-md border bg-raised shadow-float outline-none"
        >
          <FindProject chosen={chosen} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
