"use client";

import { useMutation, useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { DateTimeField } from "#components/form/date-time-field.tsx";
import { useInvokeService } from "#components/invoke-service.ts";
import { routes } from "#components/routes.ts";
import { useTRPC } from "#components/trpc.tsx";
import { Button } from "#components/ui/button.tsx";
import { useCloseTo } from "#components/ui/close-side-modal.ts";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { SideModal } from "#components/ui/side-modal.tsx";
import { toast } from "#components/ui/toast.tsx";

const DAY = 86_400_000;

/** Starts the runs of past times. */
export function BackfillTrigger({ triggerId }: { triggerId: string }) {
  const trpc = useTRPC();
  const invoke = useInvokeService();
  const queries = useQueryClient();
  const parent = routes.triggers.read(triggerId);
  const close = useCloseTo(parent);
  const { name } = useSuspenseQuery(trpc.triggers.read.queryOptions({ triggerId })).data.trigger;
  const [from, setFrom] = useState<string | null>(() => new Date(Date.now() - DAY).toISOString());
  const [to, setTo] = useState<string | null>(() => new Date(Date.now() - 60_000).toISOString());
  const backfill = useMutation({
    mutationFn: () => invoke("managed-triggers", "backfill", { name, from, to }),
    async onSuccess({ asked }) {
      await queries.invalidateQueries(trpc.triggers.pathFilter());
      toast(asked === 1 ? "1 run is started." : `${asked} runs are started.`);
      close();
    },
  });
  return (
    <SideModal
      title={`Backfill “${name}”`}
      description="Starts a run for each time of its schedule that has none yet, one after the other’s end."
      parent={parent}
      footer={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button
            variant="primary"
            disabled={!from || !to}
            pending={backfill.isPending || backfill.isSuccess}
            onClick={() => backfill.mutate()}
          >
            Start them
          </Button>
        </>
      }
    >
      <ErrorNotice what="Nothing was started." error={backfill.error} />
      <DateTimeField name="from" label="From" value={from} onChange={setFrom} error={undefined} />
      <DateTimeField name="to" label="Until" value={to} onChange={setTo} error={undefined} />
    </SideModal>
  );
}
