"use client";

import { useMutation, useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ConsentForm } from "#app/(auth)/oauth/consent/consent-form.tsx";
import { ConsentHeader } from "#app/(auth)/oauth/consent/consent-header.tsx";
import { useTRPC } from "#components/trpc.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { Select } from "#components/ui/select.tsx";

type Account = { id: string; name: string; current: boolean };

/** Asks a person on every authorization for an app's permissions, and sends their browser back to the app. */
export function Consent({
  requestId,
  user,
  accounts,
}: {
  requestId: string;
  user: { name: string; email: string };
  accounts: readonly Account[];
}) {
  const trpc = useTRPC();
  const { data } = useSuspenseQuery(trpc.apps.requests.read.queryOptions({ requestId }));
  const [leavingTo, setLeavingTo] = useState<string | null>(null);
  const [decision, setDecision] = useState<"allowed" | "refused" | null>(null);
  const { request } = data;
  if (decision) return <BackInTerminal app={request.app.name} decision={decision} />;
  if (leavingTo) return <Leaving address={leavingTo} app={request.app.name} />;
  if (request.status !== "open") return <Over decided={request.status === "decided"} />;

  // Not by submitting a form: `form-action` restricts those to our own addresses.
  function leave(redirectTo: string | null, made: "allowed" | "refused") {
    if (redirectTo === null) {
      setDecision(made);
      return;
    }
    setLeavingTo(redirectTo);
    window.location.assign(redirectTo);
  }

  return (
    <>
      <ConsentHeader request={request} />
      <SignedIn user={user} accounts={accounts} />
      {request.mayConnect ? <ConsentForm request={request} onDecided={leave} /> : <NotAllowed />}
    </>
  );
}

function NotAllowed() {
  return (
    <p>
      This account does not let you connect apps. Choose another one, ask an admin, or close this window:
      nothing was allowed.
    </p>
  );
}

/** Shows which person gives the access, and for which of their accounts. */
function SignedIn({
  user,
  accounts,
}: {
  user: { name: string; email: string };
  accounts: readonly Account[];
}) {
  const trpc = useTRPC();
  const change = useMutation(
    trpc.me.accounts.switch.mutationOptions({
      // A new document, so that no state of the previous account remains.
      onSuccess: () => window.location.reload(),
    }),
  );
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <p className="break-words">
        You are signed in as <span className="font-medium">{user.name}</span>{" "}
        <span className="text-muted">({user.email})</span>. The app gets access to the account:
      </p>
      <Select
        aria-label="Account"
        className="w-full"
        options={accounts.map(({ id, name }) => ({ value: id, label: name }))}
        value={accounts.find(({ current }) => current)?.id ?? ""}
        disabled={change.isPending || change.isSuccess}
        onChange={(accountId) => change.mutate({ accountId })}
      />
      <ErrorNotice what="The account was not changed." error={change.error} />
    </div>
  );
}

/** The app may be a program that the browser asks before it opens, or one that never responds. */
function Leaving({ address, app }: { address: string; app: string }) {
  return (
    <>
      <h1 className="break-words font-semibold text-20">Go on in {app}</h1>
      <p className="text-muted">You can close this window.</p>
      <p>
        <a href={address} className="text-accent-text underline underline-offset-2">
          Open the app again
        </a>
      </p>
    </>
  );
}

/** A program that polls learns the decision at its next poll. */
function BackInTerminal({ app, decision }: { app: string; decision: "allowed" | "refused" }) {
  return (
    <>
      <h1 className="break-words font-semibold text-20">
        {decision === "allowed" ? `${app} is connected` : "Nothing was allowed"}
      </h1>
      <p className="text-muted">
        {decision === "allowed" ? "Go on in your terminal. " : ""}You can close this window.
      </p>
    </>
  );
}

function Over({ decided }: { decided: boolean }) {
  return (
    <>
      <h1 className="font-semibold text-20">{decided ? "This was decided" : "This took too long"}</h1>
      <p className="text-muted">
        {decided ? "You can close this window." : "Nothing was allowed. Begin again in the app."}
      </p>
    </>
  );
}
