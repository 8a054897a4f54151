import { Check } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "#components/ui/cn.ts";

/** One step of several, and its progress. */
export function Step({
  number,
  title,
  done,
  current,
  children,
}: {
  number: number;
  title: string;
  done: boolean;
  /** True for the next step to do. */
  current: boolean;
  children: ReactNode;
}) {
  return (
    <li aria-current={current ? "step" : undefined} className="flex gap-3 border-b p-4 last:border-b-0">
      <span
        className={cn(
          "flex size-6 shrink-0 items-center justify-center rounded-full font-medium text-12",
          done ? "bg-ok-soft text-ok" : current ? "bg-accent text-accent-ink" : "bg-hover text-muted",
        )}
      >
        {done ? <Check aria-hidden className="size-3.5" /> : number}
        {done && <span className="sr-only">Done:</span>}
      </span>
      <div className="flex min-w-0 flex-1 flex-col items-start gap-2 break-words *:max-w-full">
        <h3 className={cn("font-medium leading-6", !done && !current && "text-muted")}>{title}</h3>
        {children}
      </div>
    </li>
  );
}
