"use client";

import { useRevoking } from "#app/(console)/api-keys/use-revoking.tsx";
import { routes } from "#components/routes.ts";
import { Button } from "#components/ui/button.tsx";
import { copyId } from "#components/ui/copy-text.ts";
import type { MenuItem } from "#components/ui/menu-item.ts";
import { MAX_DEPTH } from "#server/keys/limits.ts";
import type { ApiKey } from "#server/keys/schema.ts";

const revealed =
  "@2xl:opacity-0 focus-visible:opacity-100 group-hover:opacity-100 [@media(hover:none)]:opacity-100";

/** True if the key and all keys above it are active. */
export const isLive = ({ status, invalidBecause }: ApiKey) => status === "active" && invalidBecause === null;

/** Returns the actions on a key in a table: the menu, the revoke button, and their dialog. */
export function useKeyActions() {
  const revoking = useRevoking();
  return {
    menuOf: (key: ApiKey): MenuItem[] =>
      isLive(key)
        ? [
            ...(key.depth < MAX_DEPTH
              ? [{ label: "New key below it", href: routes.apiKeys.createBelow(key.id) }]
              : []),
            { label: "Rotate", href: routes.apiKeys.rotate(key.id) },
            { label: "Copy id", onSelect: () => copyId(key.id) },
          ]
        : [{ label: "Copy id", onSelect: () => copyId(key.id) }],
    revokeButton: (key: ApiKey) =>
      isLive(key) && (
        <Button
          size="sm"
          variant="ghost"
          className={`z-10 -my-1 @max-2xl:-ml-2 ${revealed}`}
          onClick={() => revoking.ask(key)}
        >
          Revoke
        </Button>
      ),
    dialog: revoking.dialog,
  };
}

export type KeyActions = ReturnType<typeof useKeyActions>;
