"use client";

import { useState } from "react";
import { DisableForm } from "#app/(console)/security/second-factor/disable-form.tsx";
import { EnrolForm, type Enrolment } from "#app/(console)/security/second-factor/enrol-form.tsx";
import { PasswordForm } from "#app/(console)/security/second-factor/password-form.tsx";
import { RecoveryCodes } from "#app/(console)/security/second-factor/recovery-codes.tsx";

/** Password, then the app's secret and a code of it, then the recovery codes; or, where it is on, the way to turn it off. */
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
