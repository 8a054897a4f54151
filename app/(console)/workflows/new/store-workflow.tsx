"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { type Earlier, putInput } from "#app/(console)/workflows/new/stored-input.ts";
import { Field } from "#components/form/field.tsx";
import { useInvokeService } from "#components/invoke-service.ts";
import { routes } from "#components/routes.ts";
import { Button } from "#components/ui/button.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { Input, Textarea } from "#components/ui/input.tsx";
import { toast } from "#components/ui/toast.tsx";
import { useRouter } from "#components/ui/use-router.ts";

/** Stores the workflow under a name, and goes to its page. */
export function StoreWorkflow({
  workflow,
  earlier,
  ready,
}: {
  workflow: unknown;
  earlier: Earlier | null;
  ready: boolean;
}) {
  const invoke = useInvokeService();
  const router = useRouter();
  const [name, setName] = useState(earlier?.name ?? "");
  const [description, setDescription] = useState(earlier?.description ?? "");
  const store = useMutation({
    mutationFn: () => invoke("managed-workflows", "put", putInput({ name, workflow, description, earlier })),
    onSuccess({ workflow }) {
      toast(`Stored as version ${workflow.version}.`);
      router.push(routes.workflows.storedOne(workflow.id));
    },
  });
  const title = earlier ? `Store version ${earlier.version + 1}` : "Store";

  return (
    <form
      className="flex flex-col gap-3 border-t pt-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (ready && name !== "") store.mutate();
      }}
    >
      <Field
        name="name"
        label="Name"
        error={undefined}
        hint="Lower-case letters, digits and hyphens. It is started by this name, by keys and by other workflows."
      >
        {(control) => (
          <Input
            {...control}
            value={name}
            readOnly={earlier !== null}
            autoComplete="off"
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
      <Field
        name="description"
        label="What this version does"
        optional
        error={undefined}
        hint={earlier ? "It says so far what the version before does." : undefined}
      >
        {(control) => (
          <Textarea
            {...control}
            rows={2}
            value={description}
            onChange={(event) => setDescription(event.target.value)}
          />
        )}
      </Field>
      <ErrorNotice what="The workflow was not stored." error={store.error} />
      <Button
        type="submit"
        className="self-start"
        pending={store.isPending || store.isSuccess}
        disabled={!ready || name === ""}
      >
        {title}
      </Button>
    </form>
  );
}
