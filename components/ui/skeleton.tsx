import { cn } from "#components/ui/cn.ts";

/** A grey place for what is on its way, in the size it will have: `<Skeleton className="h-5 w-40" />`. */
export function Skeleton({ className }: { className: string }) {
  return <span aria-hidden="true" className={cn("block animate-pulse rounded-md bg-hover", className)} />;
}

const rows = ["a", "b", "c", "d", "e", "f"];

/** The shape of a list page, for `loading.tsx`: header, filters, rows of 40 px. */
export function ListPageSkeleton() {
  return (
    <div
      role="status"
      aria-label="Loading"
      className="mx-auto flex w-full max-w-6xl flex-col gap-6 px-4 py-6 sm:px-6"
    >
      <div className="flex flex-col gap-2">
        <Skeleton className="h-7 w-40" />
        <Skeleton className="h-4 w-72 max-w-full" />
      </div>
      <div className="rounded-md border">
        {rows.map((row) => (
          <div key={row} className="flex h-10 items-center gap-6 border-b px-3 last:border-b-0">
            <Skeleton className="h-4 w-1/4" />
            <Skeleton className="h-4 w-1/3" />
            <Skeleton className="ml-auto h-4 w-16" />
          </div>
        ))}
      </div>
    </div>
  );
}

/** The shape of a detail page, for `loading.tsx`. */
export function DetailPageSkeleton() {
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
