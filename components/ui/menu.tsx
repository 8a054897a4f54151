"use client";

import type { LucideIcon } from "lucide-react";
import { cloneElement, lazy, type ReactElement, type ReactNode, Suspense, useState } from "react";

export type MenuItem = {
  /** Needed if labels repeat. */
  id?: string;
  label: string;
  icon?: LucideIcon;
  danger?: boolean;
  disabled?: boolean;
  /** For one of several options: true for the current one. */
  checked?: boolean;
  /** Draws a line above. */
  separated?: boolean;
} & ({ href: string } | { onSelect: () => void });

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

const load = () => import("#components/ui/menu-open.tsx");
const OpenMenu = lazy(() => load().then(({ OpenMenu }) => ({ default: OpenMenu })));

/**
 * A menu under its trigger: `<Menu trigger={<IconButton … />} items={[{ label: "Archive", onSelect }]} />`.
 * Only the trigger is rendered until its first use, so that a page of a hundred rows loads no menu.
 */
export function Menu(props: MenuProps) {
  const [used, setUsed] = useState(false);
  const closed = cloneElement(props.trigger, {
    "aria-haspopup": "menu",
    "aria-expanded": false,
    onPointerEnter: load,
    onClick: () => setUsed(true),
  });
  if (!used) return closed;
  return (
    <Suspense fallback={closed}>
      <OpenMenu {...props} />
    </Suspense>
  );
}
