"use client";

import { cloneElement, lazy, Suspense, useState } from "react";
import type { MenuProps } from "#components/ui/menu-open.tsx";

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
