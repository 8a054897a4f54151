import { cn } from "#components/ui/cn.ts";

/** A grey placeholder in the size of the content that is loading: `<Skeleton className="h-5 w-40" />`. */
export function Skeleton({ className }: { className: string }) {
  return <span aria-hidden="true" className={cn("block animate-pulse rounded-md bg-hover", className)} />;
}

const rows = ["a", "b", "c", "d", "e", "f"];

/** The skeleton of a page whose title and description depend on data that is loading. */
export function PageSkeleton() {
  return (
    <div
      role="status"
      aria-label="Loading"
      className="mx-auto flex w-full max-w-6xl flex-col gap-6 px-4 py-6 sm:px-6"
    >
      <Skeleton className="h-7 w-56" />
      <div className="flex flex-col">
        {rows.map((row) => (
          <div key={row} className="flex h-10 items-center gap-6 border-b">
            <Skeleton className="h-4 w-32" />
            <Skeleton className="h-4 w-1/2" />
          </div>
        ))}
      </div>
    </div>
  );
}
