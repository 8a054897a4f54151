import type { ReactNode } from "react";
import { plainName, plainText } from "#components/ui/plain-name.ts";

/** The top of every page: title, one explanatory sentence, the primary action at the right, an optional link back. */
export function PageHeader({
  title,
  sentence,
  action,
  badge,
  back,
}: {
  title: string;
  sentence?: ReactNode;
  action?: ReactNode;
  badge?: ReactNode;
  back?: ReactNode;
}) {
  return (
    <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <div className="min-w-0 max-w-2xl flex-1 basis-72">
        {back && <div className="mb-1 break-words text-13">{back}</div>}
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h1 className="min-w-0 break-words font-semibold text-20">{plainName(title)}</h1>
          {badge}
        </div>
        {sentence && <p className="mt-0.5 text-pretty break-words text-muted">{plainText(sentence)}</p>}
      </div>
      {action && (
        <div data-actions className="flex flex-wrap items-center gap-2">
          {action}
        </div>
      )}
    </header>
  );
}

/** The column that holds a page's content. */
export function Page({ children }: { children: ReactNode }) {
  return (
    <div className="mx-auto flex w-full min-w-0 max-w-6xl flex-col gap-6 px-4 py-6 sm:px-6">{children}</div>
  );
}
