"use client";

import { LogOut } from "lucide-react";
import { Pressable } from "#components/ui/pressable.tsx";

/** The way out, at the foot of the navigation. */
export function SignOut({ onSignOut }: { onSignOut: () => void }) {
  return (
    <div className="mt-auto border-t p-2">
      <Pressable
        onClick={onSignOut}
        className="flex h-8 w-full items-center gap-2.5 rounded-md px-2 text-muted hover:bg-hover hover:text-ink"
      >
        <LogOut aria-hidden className="size-4" />
        Sign out
      </Pressable>
    </div>
  );
}
