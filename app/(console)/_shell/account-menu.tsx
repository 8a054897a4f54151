"use client";

import { CircleUser } from "lucide-react";
import { useTheme } from "next-themes";
import type { Viewer } from "#app/(console)/_shell/viewer.ts";
import { routes } from "#components/routes.ts";
import { useTRPCClient } from "#components/trpc.tsx";
import { Menu } from "#components/ui/menu.tsx";
import type { MenuItem } from "#components/ui/menu-item.ts";
import { Pressable } from "#components/ui/pressable.tsx";

const themes = ["system", "light", "dark"];

/** The signed-in person's menu: other accounts, security page, theme and sign-out. */
export function AccountMenu({ viewer, onSignOut }: { viewer: Viewer; onSignOut: () => void }) {
  const client = useTRPCClient();
  const { theme: current = "system", setTheme } = useTheme();
  const items: MenuItem[] = themes.map((theme, index) => ({
    label: `${theme.charAt(0).toUpperCase()}${theme.slice(1)} theme`,
    checked: theme === current,
    separated: index === 0,
    onSelect: () => setTheme(theme),
  }));
  if (viewer) {
    items.unshift(
      ...viewer.others.map(({ id, name }) => ({
        id,
        label: `Switch to ${name}`,
        onSelect: () =>
          import("#app/(console)/_shell/switch-account.ts").then(({ switchAccount }) =>
            switchAccount(client, id),
          ),
      })),
      { label: "Security", separated: viewer.others.length > 0, href: routes.security() },
      ...(viewer.operator ? [{ label: "Installation", href: routes.installation() }] : []),
    );
    items.push({ label: "Sign out", separated: true, onSelect: onSignOut });
  }
  return (
    <Menu
      items={items}
      header={
        viewer && (
          <>
            <span className="block truncate font-medium">{viewer.user.name}</span>
            <span className="block truncate text-12 text-muted">{viewer.user.email}</span>
            <span className="block truncate text-12 text-muted">{viewer.account.name}</span>
          </>
        )
      }
      trigger={
        <Pressable
          aria-label={viewer ? `Account: ${viewer.user.name}` : "Account"}
          className="flex h-8 min-w-0 items-center gap-2 rounded-md px-2 hover:bg-hover"
        >
          <CircleUser aria-hidden className="size-4 shrink-0 text-muted" />
          {viewer && <span className="max-w-40 truncate max-sm:hidden">{viewer.user.name}</span>}
        </Pressable>
      }
    />
  );
}
