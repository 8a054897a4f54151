"use client";

import { useState } from "react";
import { inDigits } from "#components/ui/digits.ts";
import { Scrolling } from "#components/ui/scrolling.tsx";

type Step = {
  "Node Type": string;
  "Total Cost": number;
  "Plan Rows": number;
  "Actual Total Time"?: number;
  "Actual Rows"?: number;
  "Actual Loops"?: number;
  Plans?: Step[];
} & Record<string, unknown>;

type Explained = { Plan: Step; "Planning Time"?: number; "Execution Time"?: number };

/** The properties that narrow or order the rows of a step. */
const DETAILS = ["Index Cond", "Recheck Cond", "Hash Cond", "Merge Cond", "Join Filter", "Filter"];

function planOf(answer: readonly unknown[] = []): Explained | undefined {
  const [row] = answer as unknown[][];
  return (row?.[0] as Explained[] | undefined)?.[0];
}

export type PlanProps = { answer: readonly unknown[] | undefined };

/** Shows PostgreSQL's plan as a tree and, beside an earlier plan, how the cost has changed. */
export function Plan({ answer }: PlanProps) {
  const explained = planOf(answer);
  const [shown, setShown] = useState(explained);
  const [previous, setPrevious] = useState<Explained>();
  if (explained && explained !== shown) {
    setPrevious(shown);
    setShown(explained);
  }
  if (!explained) return null;
  const { Plan: top, "Execution Time": ran } = explained;
  return (
    <Scrolling label="Plan" className="rounded-md border bg-sunken p-3 text-13">
      <p className="pb-2 text-muted" role="status">
        Cost {inDigits(top["Total Cost"], 2)} in PostgreSQL's own unit, about {inDigits(top["Plan Rows"])}{" "}
        rows
        {ran !== undefined && `, ran in ${inDigits(ran, 2)} ms`}.
        {previous && ` The plan before: cost ${inDigits(previous.Plan["Total Cost"], 2)}.`}
      </p>
      <ul className="flex min-w-max flex-col gap-1">
        <StepOf step={top} whole={top["Total Cost"]} />
      </ul>
    </Scrolling>
  );
}

function StepOf({ step, whole }: { step: Step; whole: number }) {
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
          <span className="text-muted">{numbersOf(step, share)}</span>
        </span>
        {DETAILS.filter((name) => step[name] !== undefined).map((name) => (
          <code key={name} className="pl-18 font-mono text-12 text-muted">
            {name}: {String(step[name])}
          </code>
        ))}
      </div>
      {below.length > 0 && (
        <ul className="ml-2 flex flex-col gap-1 border-l pl-4">
          {below.map((each, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: steps may be equal, and never move.
            <StepOf key={place} step={each} whole={whole} />
          ))}
        </ul>
      )}
    </li>
  );
}

function nameOf(step: Step): string {
  const index = step["Index Name"] === undefined ? "" : ` by ${String(step["Index Name"])}`;
  const relation = step["Relation Name"] ?? step["CTE Name"] ?? step["Function Name"];
  return `${step["Node Type"]}${index}${relation === undefined ? "" : ` on ${String(relation)}`}`;
}

function numbersOf(step: Step, share: number): string {
  const estimated = `about ${inDigits(step["Plan Rows"])} rows, ${inDigits(share * 100)}% of the cost`;
  const { "Actual Rows": rows, "Actual Total Time": time, "Actual Loops": loops = 1 } = step;
  if (rows === undefined || time === undefined) return estimated;
  return `${estimated}; really ${inDigits(rows * loops)} rows in ${inDigits(time * loops, 2)} ms`;
}
