"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { replaceData } from "#components/replace-data.ts";
import { useTRPC } from "#components/trpc.tsx";
import { Switch } from "#components/ui/checkbox.tsx";
import { useChosen } from "#components/ui/chosen.ts";
import { readProblem } from "#components/ui/problem.ts";
import { toast } from "#components/ui/toast.tsx";

/** The person's setting for mails about pending approvals, if the installation has a mail server. */
export function NotifyByMail() {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const { data } = useQuery(trpc.approvals.mails.read.queryOptions());
  const update = useMutation(
    trpc.approvals.mails.update.mutationOptions({
      onSuccess: (changed) => replaceData(queries, trpc.approvals.mails.read.queryKey(), changed),
      onError: (reason) => toast(`It was not changed. ${readProblem(reason).message}`, { failed: true }),
    }),
  );
  const wanted = update.isPending ? (update.variables?.wanted ?? false) : (data?.mails.wanted ?? false);
  const [chosen, choose] = useChosen(wanted, (wanted) => update.mutate({ wanted }));
  if (!data?.mails.available) return null;
  return (
    <Switch label="Notify by mail" checked={chosen} onChange={(event) => choose(event.target.checked)} />
  );
}
