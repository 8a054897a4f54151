import { cn } from "#components/ui/cn.ts";
import { inDigits } from "#components/ui/digits.ts";
import { sizeText } from "#components/ui/size.tsx";
import { FREEING } from "#server/storage/kinds.ts";
import type { StoredKind } from "#server/storage/schema.ts";

const TITLES: Record<StoredKind, string> = {
  files: "Files",
  artifacts: "Artifacts",
  transfers: "Transfers",
  results: "Kept results",
  database: "Database",
  runs: "Runs",
  events: "Events",
  memories: "Memories",
  workflows: "Stored workflows",
};

/** From this fraction on, the meter also says in words that little is left, and how to free some. */
const NEARLY = 0.9;

/** Shows the usage of one storage budget: `Files 1.2 GB of 20 GB`, and a bar; how to free some where little is left. */
export function StorageMeter({
  kind,
  usedBytes,
  budgetBytes,
}: {
  kind: StoredKind;
  usedBytes: number | null;
  budgetBytes: number;
}) {
  const ratio = Math.min(1, (usedBytes ?? 0) / budgetBytes);
  const budget = sizeText(budgetBytes);
  const words = usedBytes === null ? `unknown, of ${budget}` : `${sizeText(usedBytes)} of ${budget}`;
  const left = ratio >= 1 ? "Full" : ratio >= NEARLY ? "Nearly full" : null;
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <div className="flex items-baseline justify-between gap-2 text-13">
        <span className="text-muted">{TITLES[kind]}</span>
        {left && <span className={ratio >= 1 ? "text-bad" : "text-warn"}>{left}</span>}
      </div>
      <div aria-hidden="true" className="h-1.5 overflow-hidden rounded-full bg-line">
        <div
          className={cn(
            "h-full rounded-full",
            ratio >= 1 ? "bg-bad" : ratio >= NEARLY ? "bg-warn" : "bg-accent",
          )}
          style={{ width: `${ratio * 100}%` }}
        />
      </div>
      <span
        className="text-12 tabular-nums"
        title={usedBytes === null ? undefined : `${inDigits(usedBytes)} bytes`}
      >
        {words}
      </span>
      {left && <span className="text-12 text-muted">{`${FREEING[kind].words}.`}</span>}
    </div>
  );
}
