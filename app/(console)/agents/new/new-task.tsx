"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { initialValues, inputOf } from "#app/(console)/agents/new/task-values.ts";
import { ToolsField } from "#app/(console)/agents/new/tools-field.tsx";
import { CheckboxField } from "#components/form/checkbox-field.tsx";
import { PageForm } from "#components/form/page-form.tsx";
import { NumberField, SelectField, TextareaField, TextField } from "#components/form/text-fields.tsx";
import { useConnectionChoices } from "#components/form/use-choices.tsx";
import { useForm } from "#components/form/use-form.ts";
import { routes } from "#components/routes.ts";
import { useTRPC } from "#components/trpc.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { TextLink } from "#components/ui/link.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";
import { Section } from "#components/ui/section.tsx";
import { useRouter } from "#components/ui/use-router.ts";

/** The form of an agent's task: instructions, tools and limits. */
export function NewTask() {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const router = useRouter();
  const tools = useQuery(trpc.agents.listTools.queryOptions());
  const connections = useConnectionChoices();
  const form = useForm({
    schema: () => import("#server/agents/schema.ts").then(({ Respond }) => Respond),
    initial: initialValues,
    toInput: inputOf,
  });
  const create = useMutation(
    trpc.runs.create.mutationOptions({
      async onSuccess({ run }) {
        await queries.invalidateQueries(trpc.runs.pathFilter());
        router.push(routes.agents.read(run.id));
      },
    }),
  );
  const unavailable = tools.data?.unavailable ?? null;

  return (
    <Page>
      <PageHeader
        title="New task"
        sentence="The agent acts as you: it can do no more than you may, and every call of it is in the audit."
        back={<TextLink href={routes.agents.list()}>Agents</TextLink>}
      />
      <ErrorNotice what="The agent’s tools could not be loaded." error={tools.error} />
      <div className="max-w-2xl">
        <PageForm
          submitLabel="Start agent"
          form={form}
          pending={create.isPending}
          error={create.error}
          failed="The agent was not started."
          onSubmit={(input) => create.mutate({ serviceId: "managed-agents", operationId: "respond", input })}
        >
          <TextareaField
            label="Task"
            rows={4}
            placeholder="Which project used the most credits this week?"
            {...form.field("input")}
          />
          <TextareaField
            label="Instructions"
            optional
            rows={3}
            hint="Rules for its behaviour, independent of the task."
            {...form.field("instructions")}
          />
          <ToolsField
            tools={tools.data?.tools ?? []}
            value={form.values.tools}
            onChange={(chosen) => form.set({ tools: chosen })}
          />
          <CheckboxField
            label="Ask me before it changes anything"
            hint="Each call that changes something waits for an approval."
            {...form.field("approveWrites")}
          />
          <Section title="Bounds" description="It stops at whichever it reaches first.">
            <div className="grid grid-cols-1 gap-4 sm:grid-cols-3">
              <NumberField label="Model calls" min={1} max={50} {...form.field("maxSteps")} />
              <NumberField label="Tokens" min={1} max={200_000} {...form.field("maxTokens")} />
              <NumberField label="Credits" min={0} {...form.field("maxCredits")} />
            </div>
          </Section>
          <Section
            title="Model"
            description={
              unavailable === null
                ? "The platform's own costs credits by the token; one of yours, by a connection, does not."
                : "The platform has no model of its own at present. Choose a connection to one of yours."
            }
          >
            <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
              <SelectField
                label="Endpoint"
                options={[
                  {
                    value: "",
                    label: unavailable === null ? "The platform's model" : "The platform's (not configured)",
                  },
                  ...connections.options,
                ]}
                find={connections.find}
                {...form.field("connectionId")}
              />
              <TextField label="Model name" optional {...form.field("model")} />
            </div>
          </Section>
        </PageForm>
      </div>
    </Page>
  );
}
