"use client";

import { type ComponentProps, lazy, Suspense } from "react";

const load = () => import("#app/(console)/api-keys/secret-dialog.tsx");
const SecretDialog = lazy(() => load().then(({ SecretDialog }) => ({ default: SecretDialog })));

/** Has the dialog ready before there is a secret to be shown once: called when the form opens. */
export const prepareSecretDialog = () => void load();

/** `SecretDialog`, which a form's first script does without. */
export function LateSecretDialog(props: ComponentProps<typeof SecretDialog>) {
  return (
    <Suspense>
      <SecretDialog {...props} />
    </Suspense>
  );
}
