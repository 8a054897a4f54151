"use client";

import { Command } from "cmdk";
import { useRouter } from "next/navigation";
import { useTheme } from "next-themes";
import { Dialog } from "radix-ui";
import type { ReactNode } from "react";
import { placeIcons } from "#app/(console)/_shell/place-icons.ts";
import { places, routes } from "#components/routes.ts";
import { useDialogFocus } from "#components/ui/dialog-focus.ts";
import { scrim } from "#components/ui/dialog-open.tsx";
import { KeyboardHint } from "#components/ui/keyboard-hint.tsx";

const forms = [
  { label: "New project", href: routes.projects.create() },
  { label: "New key", href: routes.apiKeys.create() },
];
const group =
  "[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-12 [&_[cmdk-group-heading]]:text-muted";

/** Everything there is to go to and to do, by typing; loaded when it is first opened. */
export function Palette({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  const router = useRouter();
  const { setTheme } = useTheme();

  function go(href: string) {
    onOpenChange(false);
    router.push(href);
  }

  function look(theme: string) {
    onOpenChange(false);
    setTheme(theme);
  }

  const focus = useDialogFocus();
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Overlay className={scrim} />
        <Dialog.Content
          {...focus}
          aria-describedby={undefined}
          className="fixed inset-x-2 top-[12vh] z-40 mx-auto max-w-xl animate-appear overflow-hidden rounded-md border bg-raised shadow-float outline-none"
        >
          <Dialog.Title className="sr-only">Command palette</Dialog.Title>
          <Command label="Command palette" loop>
            <Command.Input
              placeholder="Go to a page or do something"
              className="h-12 w-full border-b bg-transparent px-4 text-16 outline-none sm:text-14"
            />
            <Command.List className="max-h-[50vh] overflow-y-auto p-1">
              <Command.Empty className="px-3 py-6 text-center text-muted">
                Nothing has that name.
              </Command.Empty>
              <Command.Group heading="Go to" className={group}>
                {places.flat().map(({ label, path, key }) => {
                  const Icon = placeIcons[label];
                  return (
                    <Entry
                      key={label}
                      label={label}
                      onSelect={() => go(path)}
                      hint={<KeyboardHint keys={["g", key]} />}
                    >
                      {Icon && <Icon aria-hidden className="size-4 text-muted" />}
                    </Entry>
                  );
                })}
                <Entry label="Security" onSelect={() => go(routes.security())} />
              </Command.Group>
              <Command.Group heading="Do" className={group}>
                {forms.map(({ label, href }) => (
                  <Entry key={label} label={label} onSelect={() => go(href)} />
                ))}
                {["system", "light", "dark"].map((theme) => (
                  <Entry key={theme} label={`Use the ${theme} theme`} onSelect={() => look(theme)} />
                ))}
              </Command.Group>
            </Command.List>
          </Command>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Entry({
  label,
  hint,
  onSelect,
  children,
}: {
  label: string;
  hint?: ReactNode;
  onSelect: () => void;
  children?: ReactNode;
}) {
  return (
    <Command.Item
      value={label}
      onSelect={onSelect}
      className="flex h-9 cursor-pointer items-center gap-2.5 rounded-md px-2 data-[selected=true]:bg-hover"
    >
      {children}
      <span className="min-w-0 flex-1 truncate">{label}</span>
      {hint}
    </Command.Item>
  );
}
