"use client";

import { useState } from "react";
import { durationText } from "#app/(console)/runs/columns.tsx";
import type { Run } from "#app/(console)/runs/queries.ts";
import { Button } from "#components/ui/button.tsx";
import { Section } from "#components/ui/section.tsx";
import { Badge, Status } from "#components/ui/status.tsx";

type Entry = Run["timeline"][number];

/** The number of newest entries shown at first. */
export const SHOWN = 100;

/** Shows the log of the run as a whole; its steps are in the tree. */
export function RunLog({ run }: { run: Run }) {
  const [all, setAll] = useState(false);
  const entries = run.timeline.filter(
    ({ type }) => type === "state" || type === "log" || type === "progress",
  );
  const shown = all ? entries : entries.slice(-SHOWN);
  return (
    <Section title="Log">
      {shown.length < entries.length && (
        <div>
          <Button size="sm" onClick={() => setAll(true)}>
            {`Show the ${entries.length - shown.length} earlier`}
          </Button>
        </div>
      )}
      <LogEntries
        label="Log"
        run={run}
        entries={shown}
        wordsOf={({ message }) => (message === run.error?.message ? "The run has ended." : message)}
      />
    </Section>
  );
}

/**
 * Lists entries of a run's timeline, each with its time since the run was created. `wordsOf` says those otherwise whose
 * message is already shown above.
 */
export function LogEntries({
  label,
  run,
  entries,
  wordsOf,
}: {
  label: string;
  run: Run;
  entries: readonly Entry[];
  wordsOf: (entry: Entry) => string;
}) {
  const begin = Date.parse(run.createdAt);
  return (
    <ol aria-label={label} className="flex flex-col divide-y rounded-md border">
      {entries.map((entry) => (
        <li key={entry.seq} className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5 px-3 py-1.5 text-13">
          <time
            dateTime={entry.at}
            title={entry.at}
            className="w-16 shrink-0 text-12 text-muted tabular-nums"
          >
            +{durationText(Date.parse(entry.at) - begin)}
          </time>
          <Kind entry={entry} />
          <span className="min-w-0 flex-1 basis-48 break-words text-muted">{wordsOf(entry)}</span>
        </li>
      ))}
    </ol>
  );
}

const KINDS = { log: "Log", progress: "Progress", step: "Step", retry: "Retry", state: "State" };

function Kind({ entry: { type, level, data } }: { entry: Entry }) {
  if ((type === "state" || type === "step") && typeof data?.status === "string")
    return <Status value={data.status} />;
  const tone = level === "error" ? "bad" : level === "warn" ? "warn" : "neutral";
  return <Badge tone={tone}>{KINDS[type]}</Badge>;
}
