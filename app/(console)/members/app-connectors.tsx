"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "#components/trpc.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { Section } from "#components/ui/section.tsx";
import { Select } from "#components/ui/select.tsx";
import { toast } from "#components/ui/toast.tsx";

const CONNECTORS = [
  { value: "everyone", label: "Every member" },
  { value: "admins", label: "Admins and owners" },
  { value: "nobody", label: "Nobody" },
] as const;

/** Shows which members may connect apps; owners change that. */
export function AppConnectors({ owner }: { owner: boolean }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const { data, error } = useQuery(trpc.account.read.queryOptions({}));
  const update = useMutation(
    trpc.account.update.mutationOptions({
      async onSuccess() {
        await queries.invalidateQueries(trpc.account.pathFilter());
        toast("Who may connect apps is changed.");
      },
    }),
  );
  return (
    <Section
      title="Who may connect apps"
      description="An app acts for a member within their role. Apps that have access keep it."
    >
      <ErrorNotice what="The account could not be loaded." error={error} />
      <ErrorNotice what="Nothing was changed." error={update.error} />
      {data && (
        <Select
          aria-label="Who may connect apps"
          className="max-w-64"
          options={CONNECTORS}
          value={data.account.appConnectors}
          disabled={!owner || update.isPending}
          onChange={(appConnectors) => update.mutate({ appConnectors })}
        />
      )}
    </Section>
  );
}
