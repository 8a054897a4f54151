import { routes } from "#components/routes.ts";
import { Brand } from "#components/ui/brand.tsx";
import { ButtonLink } from "#components/ui/button.tsx";

export default function NotFound() {
  return (
    <main className="mx-auto flex min-h-dvh w-full max-w-100 flex-col items-start justify-center gap-4 px-4">
      <Brand />
      <h1 className="font-semibold text-20">Not found</h1>
      <p className="text-muted">There is no page at this address.</p>
      <ButtonLink href={routes.overview()}>Go to the overview</ButtonLink>
    </main>
  );
}
