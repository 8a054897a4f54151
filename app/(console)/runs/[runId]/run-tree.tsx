"use client";

import { type KeyboardEvent, useCallback, useEffect, useId, useMemo, useRef } from "react";
import { type StepNode, scaleOf, type TreeRow, treeRows } from "#app/(console)/runs/[runId]/step-tree.ts";
import { TreeLine } from "#app/(console)/runs/[runId]/tree-line.tsx";
import { ROW_PX, useWindow } from "#app/(console)/runs/[runId]/use-window.ts";
import { durationText } from "#app/(console)/runs/columns.tsx";
import { useClock } from "#components/ui/use-clock.ts";

/** How often the bars of running steps grow. */
const TICK_MS = 1_000;

type Props = {
  steps: readonly StepNode[];
  begin: number;
  /** The run's end; null while it runs. */
  end: number | null;
  /** Whether the person opened or closed the steps of these paths. */
  opened: ReadonlyMap<string, boolean>;
  chosen: string;
  onChoose: (path: string) => void;
  onOpen: (path: string, open: boolean) => void;
};

/**
 * Shows the steps of a run as a tree beside their times, to scale. It has the keyboard controls of a tree, and does not
 * jump while steps are added.
 */
export function RunTree({ steps, begin, end, opened, chosen, onChoose, onOpen }: Props) {
  const id = useId();
  const rows = useMemo(() => treeRows(steps, opened), [steps, opened]);
  const goesOn = useMemo(() => end === null || rows.some(({ node }) => node.to === null), [rows, end]);
  const now = useClock(goesOn && TICK_MS, lastIn(steps, begin));
  const box = useRef<HTMLDivElement>(null);
  const { first, drawn, measure } = useWindow(rows, box);
  const openedEnd = useMemo(() => lastOfOpened(rows), [rows]);
  const last = Math.max(end ?? now, openedEnd ?? now);
  const scale = scaleOf(last - begin, end === null || openedEnd === null);
  const at = rows.findIndex(({ node }) => node.path === chosen);
  /** The last selection: `chosen` comes from the address, which updates later than the next key press. */
  const latest = useRef(chosen);
  useEffect(() => {
    latest.current = chosen;
  }, [chosen]);

  const choosePath = useCallback(
    (path: string) => {
      latest.current = path;
      onChoose(path);
    },
    [onChoose],
  );

  function choose(index: number) {
    const row = rows[Math.min(Math.max(index, 0), rows.length - 1)];
    if (!row || !box.current) return;
    choosePath(row.node.path);
    const top = rows.indexOf(row) * ROW_PX;
    const { scrollTop, clientHeight } = box.current;
    if (top < scrollTop) box.current.scrollTop = top;
    else if (top + ROW_PX > scrollTop + clientHeight) box.current.scrollTop = top + ROW_PX - clientHeight;
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const at = rows.findIndex(({ node }) => node.path === latest.current);
    const row = rows[at];
    switch (event.key) {
      case "ArrowDown":
        choose(at + 1);
        break;
      case "ArrowUp":
        choose(at - 1);
        break;
      case "Home":
        choose(0);
        break;
      case "End":
        choose(rows.length - 1);
        break;
      case "ArrowRight":
        if (row?.open === false) onOpen(row.node.path, true);
        else if (row?.open) choose(at + 1);
        break;
      case "ArrowLeft":
        if (row?.open) onOpen(row.node.path, false);
        else if (row) choose(aboveOf(at));
        break;
      default:
        return;
    }
    event.preventDefault();
  }

  function aboveOf(index: number): number {
    const depth = rows[index]?.depth ?? 1;
    return rows.findLastIndex((row, nth) => nth < index && row.depth < depth);
  }

  if (rows.length === 0) return null;
  return (
    <div className="overflow-hidden rounded-md border">
      <Scale ms={scale} />
      <div
        ref={box}
        role="tree"
        aria-label="Steps"
        tabIndex={0}
        {...(at >= first && at < first + drawn.length && { "aria-activedescendant": `${id}${at}` })}
        onKeyDown={onKeyDown}
        onScroll={measure}
        className="relative max-h-[60vh] overflow-y-auto overscroll-contain outline-offset-[-2px]"
      >
        <div role="none" className="relative" style={{ height: rows.length * ROW_PX }}>
          {drawn.map((row, nth) => (
            <TreeLine
              key={row.node.path}
              id={`${id}${first + nth}`}
              row={row}
              top={(first + nth) * ROW_PX}
              chosen={row.node.path === chosen}
              begin={begin}
              scale={scale}
              until={row.node.to ?? now}
              onChoose={choosePath}
              onOpen={onOpen}
            />
          ))}
        </div>
      </div>
    </div>
  );
}

const PARTS = [0, 0.25, 0.5, 0.75];

function Scale({ ms }: { ms: number }) {
  return (
    <div aria-hidden className="flex h-7 items-center border-b bg-sunken px-2 text-12 text-muted">
      <span className="w-2/5 max-sm:flex-1">Step</span>
      <span className="relative h-full flex-1 max-sm:hidden">
        {PARTS.map((part) => (
          <span
            key={part}
            className="absolute inset-y-0 flex items-center border-l pl-1"
            style={{ left: `${part * 100}%` }}
          >
            {durationText(ms * part)}
          </span>
        ))}
      </span>
      <span className="w-16 text-right">Credits</span>
      <span className="w-20 text-right">Took</span>
    </div>
  );
}

/** Returns the latest time in the steps. */
const lastIn = (steps: readonly StepNode[], begin: number) =>
  steps.reduce((last, { from, to }) => Math.max(last, to ?? from), begin);

/** Returns when the last of the opened child runs ends, 0 if none is open; null while one goes on. */
function lastOfOpened(rows: readonly TreeRow[]): number | null {
  const ends = rows.flatMap(({ node, open }) => (node.runId && open ? node.to : []));
  return ends.includes(null) ? null : Math.max(0, ...(ends as number[]));
}
