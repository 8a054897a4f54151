"use client";

import { Check } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import type { ReactElement, ReactNode } from "react";
import { cn } from "#components/ui/cn.ts";
import { ConsoleLink } from "#components/ui/console-link.tsx";
import type { MenuItem } from "#components/ui/menu-item.ts";

export type MenuProps = {
  /** The button that opens the menu and gives it its accessible name. */
  trigger: ReactElement<TriggerProps>;
  /** Shown above the items. */
  header?: ReactNode;
  items: readonly MenuItem[];
};

type TriggerProps = {
  onClick?: () => void;
  onPointerEnter?: () => void;
  "aria-haspopup"?: "menu";
  "aria-expanded"?: boolean;
};

const itemClass =
  "flex h-8 cursor-pointer items-center gap-2 rounded-md px-2 text-14 outline-none data-disabled:cursor-not-allowed data-highlighted:bg-hover data-disabled:opacity-50";

/** The open menu of `Menu`; it opens when it mounts. */
export function OpenMenu({ trigger, header, items }: MenuProps) {
  return (
    <DropdownMenu.Root modal={false} defaultOpen>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="end"
          sideOffset={4}
          collisionPadding={8}
          className="z-50 min-w-44 max-w-80 animate-appear rounded-md border bg-raised p-1 shadow-float"
        >
          {header && <DropdownMenu.Label className="px-2 py-1.5">{header}</DropdownMenu.Label>}
          {items.map((item) => (
            <Item key={item.id ?? item.label} item={item} />
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

function Item({ item }: { item: MenuItem }) {
  const { label, icon: Icon, danger, disabled = false, checked, separated } = item;
  const className = cn(itemClass, danger && "text-bad");
  const content = (
    <>
      {Icon && <Icon aria-hidden className={cn("size-4 shrink-0", !danger && "text-muted")} />}
      <span className="min-w-0 flex-1 truncate">{label}</span>
      {checked && <Check aria-hidden className="size-4 text-accent-text" />}
    </>
  );
  const separator = separated && <DropdownMenu.Separator className="-mx-1 my-1 h-px bg-line" />;

  if ("href" in item) {
    return (
      <>
        {separator}
        <DropdownMenu.Item asChild disabled={disabled}>
          <ConsoleLink href={item.href} className={className}>
            {content}
          </ConsoleLink>
        </DropdownMenu.Item>
      </>
    );
  }
  if (checked !== undefined) {
    return (
      <>
        {separator}
        <DropdownMenu.CheckboxItem
          role="menuitemradio"
          checked={checked}
          disabled={disabled}
          className={className}
          onSelect={item.onSelect}
        >
          {content}
        </DropdownMenu.CheckboxItem>
      </>
    );
  }
  return (
    <>
      {separator}
      <DropdownMenu.Item className={className} disabled={disabled} onSelect={item.onSelect}>
        {content}
      </DropdownMenu.Item>
    </>
  );
}
