"use client";

import { useMutation } from "@tanstack/react-query";
import { TriangleAlert } from "lucide-react";
import { AskingProgram } from "#app/(auth)/asking-program.tsx";
import { PageForm } from "#components/form/page-form.tsx";
import { TextField } from "#components/form/text-fields.tsx";
import { useForm } from "#components/form/use-form.ts";
import { routes } from "#components/routes.ts";
import { useTRPC } from "#components/trpc.tsx";
import { Button, ButtonLink } from "#components/ui/button.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import type { DeviceRequest } from "#server/oauth/schema.ts";

type Entered = { userCode: string };

/** Asks for the code that a program shows, then shows which program requests access. */
export function EnterCode({ code }: { code: string }) {
  const trpc = useTRPC();
  const form = useForm<Entered, Entered>({
    schema: () => import("#server/oauth/schema.ts").then(({ UserCode }) => UserCode),
    initial: { userCode: code },
  });
  const find = useMutation(trpc.apps.devices.read.mutationOptions());
  if (find.isSuccess) return <Compare request={find.data.request} />;
  return (
    <>
      <h1 className="font-semibold text-20">Connect a program</h1>
      <p className="text-muted">
        {code
          ? "Does your terminal show this code?"
          : "Enter the code that your terminal shows. It is valid for 15 minutes."}
      </p>
      <PageForm
        submitLabel="Continue"
        form={form}
        pending={find.isPending}
        error={find.error}
        failed="No program was found."
        onSubmit={(input) => find.mutate(input)}
      >
        <TextField
          label="Code"
          placeholder="BCDF-GHJK"
          autoComplete="off"
          spellCheck={false}
          autoFocus
          {...form.field("userCode")}
        />
      </PageForm>
    </>
  );
}

/** Shows the code beside the program and its computer, so that a person notices a link sent by somebody else. */
function Compare({ request }: { request: DeviceRequest }) {
  const trpc = useTRPC();
  const refuse = useMutation(trpc.apps.refuse.mutationOptions());
  if (refuse.isSuccess)
    return (
      <>
        <h1 className="font-semibold text-20">Nothing was allowed</h1>
        <p className="text-muted">You can close this window.</p>
      </>
    );
  return (
    <>
      <h1 className="font-semibold text-20">Is this your program?</h1>
      <p className="font-medium font-mono text-24 tracking-wide">{request.userCode}</p>
      <AskingProgram {...request} />
      <div className="flex min-w-0 gap-2 rounded-md border border-warn/40 bg-warn-soft p-3 text-13">
        <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-warn" />
        <p className="min-w-0 break-words">
          Continue only if you started this yourself, just now. Anybody who sent you a code or a link could
          use your account.
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <ButtonLink variant="primary" href={routes.consent(request.id)}>
          Go on
        </ButtonLink>
        <Button pending={refuse.isPending} onClick={() => refuse.mutate({ requestId: request.id })}>
          Cancel
        </Button>
      </div>
      <ErrorNotice what="The program was not refused." error={refuse.error} />
    </>
  );
}
