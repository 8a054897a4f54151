"use client";

import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { type BulkAction, bulkQuery, eligibleRuns, MAX_AT_ONCE } from "#app/(console)/runs/bulk/queries.ts";
import { type Outcome, useBulk } from "#app/(console)/runs/bulk/use-bulk.ts";
import { nameOf, type Run } from "#app/(console)/runs/queries.ts";
import { routes } from "#components/routes.ts";
import type { Values } from "#components/table/list.ts";
import { useTRPC } from "#components/trpc.tsx";
import { Button, ButtonLink } from "#components/ui/button.tsx";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { shorten } from "#components/ui/copyable.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { TextLink } from "#components/ui/link.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { Status } from "#components/ui/status.tsx";
import { RelativeTime } from "#components/ui/time.tsx";

const words = {
  cancel: {
    title: "Cancel runs",
    sentence: "Each stops at its next step. Its work so far stays done and charged.",
    verb: "Cancel",
    variant: "danger",
    done: "Cancelled",
    none: "None of the runs that these filters show is under way.",
  },
  forget: {
    title: "Forget runs",
    sentence:
      "Deletes the input, result, answers of steps and log of each, for good. The runs stay with their status and charge.",
    verb: "Forget",
    variant: "danger",
    done: "Forgotten",
    none: "None of the runs that these filters show can be forgotten.",
  },
  retry: {
    title: "Retry runs",
    sentence:
      "Each is run again as a new run at today’s price: from the step that failed, or from its first.",
    verb: "Retry",
    variant: "primary",
    done: "Queued anew",
    none: "None of the runs that these filters show can be retried.",
  },
} as const;

const counted = (count: number) => (count === 1 ? "1 run" : `${count} runs`);

/** Lists the runs that a bulk action would change, each of which can be deselected, before executing it. */
export function BulkRuns({ action, filters }: { action: BulkAction; filters: Values }) {
  const trpc = useTRPC();
  const { title, sentence, verb, variant, done, none } = words[action];
  // The action changes which runs match the filters: the list stays as it was when the page opened.
  const list = useQuery({
    ...trpc.runs.list.queryOptions(bulkQuery(action, filters)),
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    meta: { still: true },
  });
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const { outcomes, busy, start } = useBulk(action);
  const status = useRef<HTMLParagraphElement>(null);
  const runs = list.data && eligibleRuns(action, list.data.runs);
  const chosen = runs?.filter(({ id }) => !left.has(id)) ?? [];
  const succeeded = [...outcomes.values()].filter(({ problem }) => problem === null).length;

  function begin() {
    // The button that had the focus is gone.
    status.current?.focus();
    void start(chosen);
  }

  return (
    <Page>
      <PageHeader
        back={<TextLink href={routes.runs.list({ ...filters })}>Runs</TextLink>}
        title={title}
        sentence={sentence}
        action={
          outcomes.size === 0 && !busy ? (
            <Button variant={variant} disabled={chosen.length === 0} onClick={begin}>
              {`${verb} ${counted(chosen.length)}`}
            </Button>
          ) : (
            <ButtonLink href={routes.runs.list({ ...filters })}>Back to the runs</ButtonLink>
          )
        }
      />
      <ErrorNotice what="The runs could not be loaded." error={list.error} />
      <p ref={status} role="status" tabIndex={-1} className="text-13 text-muted outline-none">
        {(outcomes.size > 0 || busy) && `${done}: ${succeeded} of ${counted(chosen.length)}.`}
        {outcomes.size === 0 &&
          !busy &&
          runs &&
          (runs.length > 0 ? preview(list.data?.nextCursor != null) : none)}
      </p>
      {!runs && !list.error && <Skeleton className="h-48" />}
      {runs && runs.length > 0 && (
        <ul aria-label="Runs that would be hit" className="flex flex-col divide-y rounded-md border">
          {runs.map((run) => (
            <BulkRun
              key={run.id}
              run={run}
              chosen={!left.has(run.id)}
              fixed={busy || outcomes.size > 0}
              outcome={outcomes.get(run.id)}
              done={done}
              onChoose={(on) => setLeft((before) => toggled(before, run.id, !on))}
            />
          ))}
        </ul>
      )}
    </Page>
  );
}

function preview(more: boolean): string {
  const which = more
    ? ` These are of the newest ${MAX_AT_ONCE} that the filters show: repeat it for the others.`
    : "";
  return `Nothing has happened yet. Leave out the runs that should stay as they are.${which}`;
}

function toggled(before: ReadonlySet<string>, id: string, there: boolean): ReadonlySet<string> {
  const after = new Set(before);
  if (there) after.add(id);
  else after.delete(id);
  return after;
}

function BulkRun({
  run,
  chosen,
  fixed,
  outcome,
  done,
  onChoose,
}: {
  run: Run;
  chosen: boolean;
  fixed: boolean;
  outcome: Outcome | undefined;
  done: string;
  onChoose: (on: boolean) => void;
}) {
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2 text-13">
      <Checkbox
        label={nameOf(run)}
        checked={chosen}
        disabled={fixed}
        onChange={(event) => onChoose(event.target.checked)}
      />
      <TextLink href={routes.runs.read(run.id)}>{shorten(run.id)}</TextLink>
      <Status value={run.status} />
      <span className="text-muted">
        <RelativeTime at={run.createdAt} />
      </span>
      {run.error && (
        <span className="min-w-0 break-words text-muted">
          {run.error.code}
          {run.error.step && ` in ${run.error.step}`}
        </span>
      )}
      {outcome?.problem === null && <span className="text-ok">{done}</span>}
      {outcome?.newRunId && <TextLink href={routes.runs.read(outcome.newRunId)}>Open the new run</TextLink>}
      {outcome?.problem && <span className="min-w-0 break-words text-bad">{outcome.problem}</span>}
    </li>
  );
}
