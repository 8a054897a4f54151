"use client";

import { lazy, Suspense, useEffect, useState } from "react";
import { offerProof } from "#components/prove-again.ts";

const ProofDialog = lazy(() =>
  import("#app/(console)/_shell/proof-dialog.tsx").then(({ ProofDialog }) => ({ default: ProofDialog })),
);

/** Asks the person to prove that it is he, when an act is refused until then; the dialog is loaded when it is needed. */
export function LateProof() {
  const [answer, setAnswer] = useState<{ give: (proved: boolean) => void } | null>(null);
  useEffect(
    () =>
      offerProof(
        () =>
          new Promise((resolve) => {
            setAnswer({
              give(proved) {
                setAnswer(null);
                resolve(proved);
              },
            });
          }),
      ),
    [],
  );
  if (!answer) return null;
  return (
    <Suspense>
      <ProofDialog onAnswer={answer.give} />
    </Suspense>
  );
}
