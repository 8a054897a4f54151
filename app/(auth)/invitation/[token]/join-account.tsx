"use client";

import { useMutation } from "@tanstack/react-query";
import { routes } from "#components/routes.ts";
import { useTRPC } from "#components/trpc.tsx";
import { Button } from "#components/ui/button.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";

/** Lets a signed-in person accept their invitation with one click. */
export function JoinAccount({ token }: { token: string }) {
  const trpc = useTRPC();
  const join = useMutation(
    trpc.me.accounts.join.mutationOptions({
      // A new document, so that no state of the previous account remains.
      onSuccess: () => window.location.assign(routes.overview()),
    }),
  );
  return (
    <div className="flex flex-col gap-4">
      <ErrorNotice what="You have not joined." error={join.error} />
      <Button
        variant="primary"
        className="self-start"
        pending={join.isPending || join.isSuccess}
        onClick={() => join.mutate({ token })}
      >
        Join account
      </Button>
    </div>
  );
}
