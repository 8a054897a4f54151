"use client";

import { Button } from "#components/ui/button.tsx";

/** Shown if the signed-in person is not the invited one: a link to sign in as the invited person. */
export function OtherPerson({ email }: { email: string }) {
  async function leave() {
    const { signOut } = await import("next-auth/react");
    await signOut({ callbackUrl: window.location.pathname });
  }
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <p className="break-words">
        You are signed in as {email}. Sign out to accept the invitation as the person it is for.
      </p>
      <Button variant="primary" className="self-start" onClick={leave}>
        Sign out
      </Button>
    </div>
  );
}
