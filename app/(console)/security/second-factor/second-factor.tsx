"use client";

import { useState } from "react";
import { DisableForm } from "#app/(console)/security/second-factor/disable-form.tsx";
import { EnrolForm, type Enrolment } from "#app/(console)/security/second-factor/enrol-form.tsx";
import { PasswordForm } from "#app/(console)/security/second-factor/password-form.tsx";
import { routes } from "#components/routes.ts";
import { CopyButton } from "#components/ui/copyable.tsx";
import { TextLink } from "#components/ui/link.tsx";
import { Section } from "#components/ui/section.tsx";
import { useStay } from "#components/ui/stay.ts";

/**
 * Enrols a second factor in three steps: password, the app's secret with a code, recovery codes. If one is on, turns it
 * off.
 */
export function SecondFactor({ on }: { on: boolean }) {
  const [enrolment, setEnrolment] = useState<Enrolment | null>(null);
  const [recoveryCodes, setRecoveryCodes] = useState<string[] | null>(null);
  return (
    <div className="flex max-w-100 flex-col gap-4">
      {recoveryCodes ? (
        <RecoveryCodes codes={recoveryCodes} />
      ) : on ? (
        <DisableForm />
      ) : enrolment ? (
        <EnrolForm enrolment={enrolment} onDone={setRecoveryCodes} />
      ) : (
        <PasswordForm onDone={setEnrolment} />
      )}
    </div>
  );
}

/** The last step; the codes are shown only once. */
function RecoveryCodes({ codes }: { codes: string[] }) {
  useStay(true);
  return (
    <Section
      title="Recovery codes"
      description="The second factor is on. Each of these codes signs you in once without the app. Keep them where you keep your passwords: they are not shown again."
      action={<CopyButton text={codes.join("\n")} what="all recovery codes" />}
    >
      <ul
        aria-label="Recovery codes"
        className="grid grid-cols-1 gap-1 rounded-md border p-4 font-mono text-13"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <p>
        <TextLink href={routes.security()}>I have kept them</TextLink>
      </p>
    </Section>
  );
}
