"use client";

import type { LucideIcon } from "lucide-react";
import Link from "next/link";
import { DropdownMenu } from "radix-ui";
import type { ReactElement } from "react";
import { cn } from "#components/ui/cn.ts";

export type MenuItem = {
  label: string;
  icon?: LucideIcon;
  danger?: boolean;
  disabled?: boolean;
} & ({ href: string } | { onSelect: () => void });

const item =
  "flex h-8 cursor-pointer items-center gap-2 rounded-md px-2 text-14 outline-none data-disabled:cursor-not-allowed data-highlighted:bg-hover data-disabled:opacity-50";

/** A menu under its trigger: `<Menu label="Project actions" trigger={<IconButton … />} items={[{ label: "Archive", onSelect }]} />`. */
export function Menu({
  trigger,
  label,
  items,
  align = "end",
}: {
  trigger: ReactElement;
  label: string;
  items: readonly MenuItem[];
  align?: "start" | "end";
}) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          aria-label={label}
          align={align}
          sideOffset={4}
          collisionPadding={8}
          className="z-50 min-w-44 max-w-80 animate-appear rounded-md border bg-raised p-1 shadow-float"
        >
          {items.map((entry) => (
            <Item key={entry.label} {...entry} />
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

function Item({ label, icon: Icon, danger, disabled, ...action }: MenuItem) {
  const className = cn(item, danger && "text-bad");
  const content = (
    <>
      {Icon && <Icon aria-hidden className={cn("size-4 shrink-0", !danger && "text-muted")} />}
      <span className="truncate">{label}</span>
    </>
  );
  if ("href" in action) {
    return (
      <DropdownMenu.Item asChild {...(disabled && { disabled })}>
        <Link href={action.href} className={className}>
          {content}
        </Link>
      </DropdownMenu.Item>
    );
  }
  return (
    <DropdownMenu.Item className={className} onSelect={action.onSelect} {...(disabled && { disabled })}>
      {content}
    </DropdownMenu.Item>
  );
}
