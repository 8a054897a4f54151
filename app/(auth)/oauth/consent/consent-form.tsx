"use client";

import { useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { AccessField } from "#app/(auth)/oauth/consent/access-field.tsx";
import { type Choice, choiceOf, firstChoice } from "#app/(auth)/oauth/consent/choice.ts";
import { BoundaryField } from "#app/(console)/api-keys/(list)/new/boundary-field.tsx";
import { FormBody } from "#components/form/form-body.tsx";
import { NumberField, SelectField } from "#components/form/text-fields.tsx";
import { useProjectChoices } from "#components/form/use-choices.tsx";
import { useForm } from "#components/form/use-form.ts";
import { useTRPC } from "#components/trpc.tsx";
import { Button } from "#components/ui/button.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import type { AllowApp, AppRequest } from "#server/oauth/schema.ts";

const READY_AFTER_MS = 500;

const PERIODS = [
  [1, "1 day"],
  [7, "7 days"],
  [30, "30 days"],
  [90, "90 days"],
  [365, "A year"],
] as const;

/** Asks which scopes the app gets, for which project, with which limits, and until when. */
export function ConsentForm({
  request,
  onDecided,
}: {
  request: AppRequest;
  onDecided: (redirectTo: string | null, decision: "allowed" | "refused") => void;
}) {
  const trpc = useTRPC();
  const projects = useProjectChoices({ active: true });
  const ready = useReady();
  const form = useForm<Choice, AllowApp>({
    schema: () => import("#server/oauth/schema.ts").then(({ AllowApp }) => AllowApp),
    initial: firstChoice(request),
    toInput: (values) => choiceOf(values, request),
  });
  const allow = useMutation(
    trpc.apps.allow.mutationOptions({ onSuccess: ({ redirectTo }) => onDecided(redirectTo, "allowed") }),
  );
  const refuse = useMutation(
    trpc.apps.refuse.mutationOptions({ onSuccess: ({ redirectTo }) => onDecided(redirectTo, "refused") }),
  );
  const { scopes } = form.values;
  const longest = Math.min(
    365,
    ...request.scopes.filter(({ scope }) => scopes.includes(scope)).map(({ longestDays }) => longestDays),
  );
  const spends = request.scopes.some(({ scope, group }) => group === "spend" && scopes.includes(scope));
  return (
    <FormBody
      form={form}
      pending={allow.isPending || allow.isSuccess || refuse.isPending || refuse.isSuccess}
      error={allow.error}
      failed="Nothing was allowed."
      onSubmit={(input) => allow.mutate({ requestId: request.id, ...input })}
      className="flex min-w-0 flex-col gap-4"
      fieldsClassName="flex min-w-0 flex-col gap-4"
      fields={
        <>
          <AccessField offered={request.scopes} {...form.field("scopes")} />
          <SelectField
            label="Project"
            options={[{ value: "", label: "All projects" }, ...projects.options]}
            find={projects.find}
            {...form.field("projectId")}
          />
          <BoundaryField
            what="Services"
            meanings={{
              any: "Every service, later ones too.",
              allowed: "Only those below.",
              excluded: "All there are now but those below.",
            }}
            choices={request.services.map(({ id, name }) => ({ name: id, hint: name }))}
            {...form.field("services")}
          />
          {spends && (
            <NumberField
              label="Spending limit"
              unit="credits a day"
              hint={`1,000 credits are 1 USD. What it spends by calls of services, runs, sends and orders counts.${request.maySpendFreely ? " Leave it empty for no limit." : ""}`}
              min={1}
              {...form.field("creditsPerDay")}
            />
          )}
          <NumberField label="Requests" unit="a minute" min={1} {...form.field("requestsPerMinute")} />
          <SelectField
            label="Until"
            options={PERIODS.map(([days, label]) => ({
              value: String(days),
              label,
              disabled: days > longest,
            }))}
            hint={longest < 365 && `At most ${longest} days with what is chosen above.`}
            {...form.field("days")}
          />
          <ErrorNotice what="The app could not be informed." error={refuse.error} />
        </>
      }
      buttons={
        <div className="flex flex-wrap gap-2">
          <Button
            type="submit"
            variant="primary"
            disabled={!ready}
            pending={allow.isPending || allow.isSuccess}
          >
            Allow
          </Button>
          <Button pending={refuse.isPending} onClick={() => refuse.mutate({ requestId: request.id })}>
            Cancel
          </Button>
        </div>
      }
    />
  );
}

/** True once the page has been in front for half a second, so that a click meant for another window allows nothing. */
function useReady(): boolean {
  const [ready, setReady] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const begin = () => {
      clearTimeout(timer);
      setReady(false);
      timer = setTimeout(() => setReady(true), READY_AFTER_MS);
    };
    begin();
    window.addEventListener("focus", begin);
    return () => {
      clearTimeout(timer);
      window.removeEventListener("focus", begin);
    };
  }, []);
  return ready;
}
