import { routes } from "#components/routes.ts";
import { Brand } from "#components/ui/brand.tsx";

/** Shown at an address without a page. It has a plain link, and so no scripts: every page would load them first. */
export default function NotFound() {
  return (
    <main className="mx-auto flex min-h-dvh w-full max-w-100 flex-col items-start justify-center gap-4 px-4">
      <Brand />
      <h1 className="font-semibold text-20">Not found</h1>
      <p className="text-muted">There is no page at this address.</p>
      <a href={routes.overview()} className="text-accent-text underline underline-offset-2">
        Go to the overview
      </a>
    </main>
  );
}
