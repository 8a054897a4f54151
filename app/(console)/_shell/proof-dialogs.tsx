"use client";

import { lazy, Suspense, useEffect, useState } from "react";
import type { ShownPerson } from "#app/(console)/_shell/viewer.ts";
import { type Demand, registerDialogs } from "#components/ask-person.ts";

const ProofDialog = lazy(() =>
  import("#app/(console)/_shell/proof-dialog.tsx").then(({ ProofDialog }) => ({ default: ProofDialog })),
);
const SessionDialog = lazy(() =>
  import("#app/(console)/_shell/session-dialog.tsx").then(({ SessionDialog }) => ({
    default: SessionDialog,
  })),
);

type Question = { wanted: Demand; answer: (done: boolean) => void };

/** Asks the person for the proof of identity that an action demands; loads each dialog when it is needed. */
export function ProofDialogs({ viewer }: { viewer: ShownPerson }) {
  const [questions, setQuestions] = useState<Question[]>([]);
  useEffect(
    () =>
      registerDialogs(
        (wanted) =>
          new Promise((resolve) => {
            const question: Question = {
              wanted,
              answer(done) {
                setQuestions((others) => others.filter((other) => other !== question));
                resolve(done);
              },
            };
            setQuestions((others) => [...others, question]);
          }),
      ),
    [],
  );
  return questions.map(({ wanted, answer }) => (
    <Suspense key={wanted}>
      {wanted === "proof" ? (
        <ProofDialog onAnswer={answer} />
      ) : (
        <SessionDialog viewer={viewer} onSignedIn={() => answer(true)} />
      )}
    </Suspense>
  ));
}
