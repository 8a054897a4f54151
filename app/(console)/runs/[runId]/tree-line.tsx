"use client";

import {
  ChevronDown,
  ChevronRight,
  CircleCheck,
  CircleDashed,
  CircleX,
  Clock,
  type LucideIcon,
  RotateCw,
  ShieldQuestion,
} from "lucide-react";
import { memo } from "react";
import type { Span, StepNode, TreeRow } from "#app/(console)/runs/[runId]/step-tree.ts";
import { durationText } from "#app/(console)/runs/columns.tsx";
import { cn } from "#components/ui/cn.ts";
import { inDigits } from "#components/ui/digits.ts";

const marks: Record<string, { icon: LucideIcon; tone: string }> = {
  succeeded: { icon: CircleCheck, tone: "text-ok" },
  failed: { icon: CircleX, tone: "text-bad" },
  expired: { icon: CircleX, tone: "text-bad" },
  unknown: { icon: CircleX, tone: "text-warn" },
  cancelled: { icon: CircleX, tone: "text-muted" },
  waiting: { icon: Clock, tone: "text-muted" },
  awaiting_approval: { icon: ShieldQuestion, tone: "text-warn" },
  retrying: { icon: RotateCw, tone: "text-warn" },
};
const going = { icon: CircleDashed, tone: "text-info" };

const bars: Record<Span["kind"], string> = {
  work: "h-3 bg-accent",
  wait: "h-0.5 bg-line-strong",
  approval: "h-1 bg-warn",
  retry: "h-0.5 bg-warn",
};

type Props = {
  id: string;
  row: TreeRow;
  top: number;
  chosen: boolean;
  /** The run's begin and the length of the scale on which the line's time is drawn. */
  begin: number;
  scale: number;
  /** The end of its time; the present while it lasts. */
  until: number;
  onChoose: (path: string) => void;
  onOpen: (path: string, open: boolean) => void;
};

/** A line of the tree, with its time to scale; the tree handles the keys. Scrolling renders only the lines that come. */
export const TreeLine = memo(function TreeLine(props: Props) {
  const { id, row, top, chosen, until, onChoose, onOpen } = props;
  const { node, depth, open } = row;
  const { icon: Icon, tone } = marks[node.status] ?? going;
  const Chevron = open ? ChevronDown : ChevronRight;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree hears the keys, as its role wants.
    <div
      id={id}
      role="treeitem"
      tabIndex={-1}
      aria-level={depth}
      aria-posinset={row.place}
      aria-setsize={row.among}
      aria-selected={chosen}
      {...(open !== null && { "aria-expanded": open })}
      onClick={() => onChoose(node.path)}
      className={cn(
        "absolute inset-x-0 flex h-8 cursor-pointer items-center px-2 text-13 outline-none",
        chosen ? "bg-accent-soft" : "hover:bg-hover",
      )}
      style={{ top }}
    >
      <span
        className="flex w-2/5 min-w-0 items-center gap-1.5 pr-2 max-sm:flex-1"
        style={{ paddingLeft: `${(Math.min(depth, 8) - 1) * 0.875}rem` }}
      >
        {open === null ? (
          <span className="w-4 shrink-0" />
        ) : (
          <Chevron
            aria-hidden
            className="size-4 shrink-0 text-muted"
            onClick={(event) => {
              event.stopPropagation();
              onOpen(node.path, !open);
            }}
          />
        )}
        {!node.isNote && <Icon aria-hidden className={cn("size-4 shrink-0", tone)} />}
        <span className="sr-only">{node.status.replaceAll("_", " ")}</span>
        <span className={textOf(node)} title={node.isNote ? undefined : node.name}>
          {node.label}
        </span>
        {node.attempts > 1 && <span className="shrink-0 text-12 text-warn">{node.attempts} attempts</span>}
      </span>
      <span aria-hidden className="relative h-full flex-1 overflow-hidden max-sm:hidden">
        {node.children.length > 0 && <Bar span={{ ...node, kind: "wait" }} place={props} failed={false} />}
        {node.spans.map((span) => (
          <Bar
            key={`${span.from} ${span.kind}`}
            span={span}
            place={props}
            failed={node.status === "failed"}
          />
        ))}
      </span>
      <span className={figure("w-16")}>
        {node.credits > 0 && inDigits(node.credits)}
        {node.credits > 0 && <span className="sr-only"> {node.credits === 1 ? "credit" : "credits"}</span>}
      </span>
      <span className={figure("w-20")}>{!node.isNote && durationText(until - node.from)}</span>
    </div>
  );
});

const figure = (width: string) => `${width} shrink-0 text-right text-12 text-muted tabular-nums`;

function textOf({ isNote, runId }: StepNode): string {
  return cn("min-w-0 truncate", isNote ? "text-muted" : runId === null && "font-mono");
}

type Place = Pick<Props, "begin" | "scale" | "until">;

function Bar({ span, place, failed }: { span: Span; place: Place; failed: boolean }) {
  const { begin, scale, until } = place;
  const left = ((span.from - begin) / scale) * 100;
  const width = (((span.to ?? until) - span.from) / scale) * 100;
  return (
    <span
      className={cn(
        "absolute top-1/2 min-w-[3px] -translate-y-1/2 rounded-full",
        bars[span.kind],
        failed && span.kind === "work" && "bg-bad-fill",
      )}
      style={{ left: `min(${Math.max(left, 0)}%, 100% - 3px)`, width: `${Math.max(width, 0)}%` }}
    />
  );
}
