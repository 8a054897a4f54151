"use client";

import { useMutation } from "@tanstack/react-query";
import Image from "next/image";
import { PageForm } from "#components/form/page-form.tsx";
import { TextField } from "#components/form/text-fields.tsx";
import { useForm } from "#components/form/use-form.ts";
import { useTRPC } from "#components/trpc.tsx";
import { Copyable } from "#components/ui/copyable.tsx";

export type Enrolment = { secret: string; qrCode: string };

/** The second step: shows the secret for the app to scan, and verifies a code of it. */
export function EnrolForm({
  enrolment,
  onDone,
}: {
  enrolment: Enrolment;
  onDone: (recoveryCodes: string[]) => void;
}) {
  const trpc = useTRPC();
  const form = useForm<{ code: string }, { code: string }>({
    schema: () => import("#server/members/schema.ts").then(({ ConfirmCode }) => ConfirmCode),
    initial: { code: "" },
  });
  const confirm = useMutation(
    trpc.me.secondFactor.confirm.mutationOptions({
      onSuccess: ({ recoveryCodes }) => onDone(recoveryCodes),
    }),
  );
  return (
    <>
      <p>Scan this with your authenticator app, or type the secret into it.</p>
      {/* White background in the dark theme too, because cameras need it. */}
      <Image
        unoptimized
        src={enrolment.qrCode}
        alt="QR code for your authenticator app"
        width={200}
        height={200}
        className="rounded-md border bg-white"
      />
      <p className="flex min-w-0 flex-wrap items-center gap-1 text-13 text-muted">
        Secret <Copyable value={enrolment.secret} full />
      </p>
      <PageForm
        submitLabel="Turn on"
        form={form}
        pending={confirm.isPending || confirm.isSuccess}
        error={confirm.error}
        failed="The second factor is still off."
        onSubmit={(input) => confirm.mutate(input)}
      >
        <TextField
          label="Code"
          hint="The six digits that the app shows now."
          autoComplete="one-time-code"
          inputMode="numeric"
          spellCheck={false}
          autoFocus
          {...form.field("code")}
        />
      </PageForm>
    </>
  );
}
