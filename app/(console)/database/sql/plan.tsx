"use client";

import { useState } from "react";
import { detailsOf, nameOf, pairsOf, type Step } from "#app/(console)/database/sql/plan-steps.ts";
import { inDigits } from "#components/ui/digits.ts";
import { Scrolling } from "#components/ui/scrolling.tsx";
import { Badge } from "#components/ui/status.tsx";

type Explained = { Plan: Step; "Planning Time"?: number; "Execution Time"?: number };

function planOf(answer: readonly unknown[] = []): Explained | undefined {
  const [row] = answer as unknown[][];
  return (row?.[0] as Explained[] | undefined)?.[0];
}

export type PlanProps = { answer: readonly unknown[] | undefined };

/** Shows PostgreSQL's plan as a tree and, beside it, the earlier plan: steps that only one of them has are marked. */
export function Plan({ answer }: PlanProps) {
  const explained = planOf(answer);
  const [shown, setShown] = useState(explained);
  const [previous, setPrevious] = useState<Explained>();
  if (explained && explained !== shown) {
    setPrevious(shown);
    setShown(explained);
  }
  if (!explained) return null;
  if (!previous) return <Tree label="Plan" explained={explained} />;
  const pairs = pairsOf(previous.Plan, explained.Plan);
  return (
    <div className="grid min-w-0 grid-cols-1 items-start gap-3 xl:grid-cols-2">
      <Tree label="Plan" explained={explained} compared={{ pairs, mark: "New" }} />
      <Tree label="The plan before" explained={previous} compared={{ pairs, mark: "Gone" }} />
    </div>
  );
}

type Compared = { pairs: ReadonlyMap<Step, Step>; mark: "New" | "Gone" };

function Tree({
  label,
  explained: { Plan: top, "Execution Time": ran },
  compared,
}: {
  label: string;
  explained: Explained;
  compared?: Compared;
}) {
  return (
    <Scrolling label={label} className="rounded-md border bg-sunken p-3 text-13">
      {compared && <h3 className="pb-1 font-medium">{label}</h3>}
      <p className="pb-2 text-muted" role={compared?.mark === "Gone" ? undefined : "status"}>
        Cost {inDigits(top["Total Cost"], 2)} in PostgreSQL's own unit, about {inDigits(top["Plan Rows"])}{" "}
        rows
        {ran !== undefined && `, ran in ${inDigits(ran, 2)} ms`}.
      </p>
      <ul className="flex min-w-max flex-col gap-1">
        <StepOf step={top} whole={top["Total Cost"]} compared={compared} />
      </ul>
    </Scrolling>
  );
}

function StepOf({ step, whole, compared }: { step: Step; whole: number; compared: Compared | undefined }) {
  const below = step.Plans ?? [];
  // A step's cost includes the cost of the steps below it.
  const own = Math.max(0, step["Total Cost"] - below.reduce((sum, each) => sum + each["Total Cost"], 0));
  const share = whole > 0 ? Math.min(1, own / whole) : 0;
  return (
    <li className="flex flex-col gap-1">
      <div className="flex flex-col">
        <span className="flex items-center gap-2">
          <span aria-hidden className="h-1.5 w-16 shrink-0 overflow-hidden rounded-full bg-line">
            <span className="block h-full bg-accent" style={{ width: `${share * 100}%` }} />
          </span>
          <span className="font-medium">{nameOf(step)}</span>
          {compared && <Change step={step} compared={compared} />}
          <span className="text-muted">{numbersOf(step, share)}</span>
        </span>
        {detailsOf(step).map((detail) => (
          <code key={detail} className="pl-18 font-mono text-12 text-muted">
            {detail}
          </code>
        ))}
      </div>
      {below.length > 0 && (
        <ul className="ml-2 flex flex-col gap-1 border-l pl-4">
          {below.map((each, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: steps may be equal, and never move.
            <StepOf key={place} step={each} whole={whole} compared={compared} />
          ))}
        </ul>
      )}
    </li>
  );
}

/** Marks a step that the other plan has not, or the new plan's step that costs more or less than before. */
function Change({ step, compared: { pairs, mark } }: { step: Step; compared: Compared }) {
  const other = pairs.get(step);
  if (!other) return <Badge tone={mark === "New" ? "info" : "warn"}>{mark}</Badge>;
  const [cost, before] = [step["Total Cost"], other["Total Cost"]];
  if (mark === "Gone" || cost === before) return null;
  return (
    <Badge tone={cost < before ? "ok" : "warn"}>
      Cost {inDigits(before, 2)} → {inDigits(cost, 2)}
    </Badge>
  );
}

function numbersOf(step: Step, share: number): string {
  const estimated = `about ${inDigits(step["Plan Rows"])} rows, ${inDigits(share * 100)}% of the cost`;
  const { "Actual Rows": rows, "Actual Total Time": time, "Actual Loops": loops = 1 } = step;
  if (rows === undefined || time === undefined) return estimated;
  return `${estimated}; really ${inDigits(rows * loops)} rows in ${inDigits(time * loops, 2)} ms`;
}
