"use client";

import { Check, CircleUser } from "lucide-react";
import Link from "next/link";
import { useTheme } from "next-themes";
import { DropdownMenu } from "radix-ui";
import type { Viewer } from "#app/(console)/_shell/viewer.ts";
import { routes } from "#components/routes.ts";

const item =
  "flex h-8 cursor-pointer items-center justify-between gap-2 rounded-md px-2 outline-none data-highlighted:bg-hover";
const themes = [
  { value: "system", label: "System theme" },
  { value: "light", label: "Light theme" },
  { value: "dark", label: "Dark theme" },
];

/** Who is signed in, their security pages, the theme, and the way out. */
export function AccountMenu({ viewer, onSignOut }: { viewer: Viewer; onSignOut: () => void }) {
  const { theme, setTheme } = useTheme();
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger
        aria-label="Account"
        className="flex h-8 min-w-0 items-center gap-2 rounded-md px-2 hover:bg-hover"
      >
        <CircleUser aria-hidden className="size-4 shrink-0 text-muted" />
        {viewer && <span className="max-w-40 truncate max-sm:hidden">{viewer.user.name}</span>}
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="end"
          sideOffset={4}
          collisionPadding={8}
          className="z-50 w-60 animate-appear rounded-md border bg-raised p-1 shadow-float"
        >
          {viewer && (
            <>
              <DropdownMenu.Label className="px-2 py-1.5">
                <span className="block truncate font-medium">{viewer.user.name}</span>
                <span className="block truncate text-12 text-muted">{viewer.user.email}</span>
                <span className="block truncate text-12 text-muted">{viewer.account.name}</span>
              </DropdownMenu.Label>
              <DropdownMenu.Separator className="my-1 h-px bg-line" />
              <DropdownMenu.Item asChild>
                <Link href={routes.security()} className={item}>
                  Security
                </Link>
              </DropdownMenu.Item>
              <DropdownMenu.Item asChild>
                <Link href={routes.sessions()} className={item}>
                  Sessions
                </Link>
              </DropdownMenu.Item>
              <DropdownMenu.Separator className="my-1 h-px bg-line" />
            </>
          )}
          <DropdownMenu.RadioGroup value={theme ?? "system"} onValueChange={setTheme}>
            {themes.map(({ value, label }) => (
              <DropdownMenu.RadioItem key={value} value={value} className={item}>
                {label}
                <DropdownMenu.ItemIndicator>
                  <Check aria-hidden className="size-4 text-accent-text" />
                </DropdownMenu.ItemIndicator>
              </DropdownMenu.RadioItem>
            ))}
          </DropdownMenu.RadioGroup>
          {viewer && (
            <>
              <DropdownMenu.Separator className="my-1 h-px bg-line" />
              <DropdownMenu.Item className={item} onSelect={onSignOut}>
                Sign out
              </DropdownMenu.Item>
            </>
          )}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
