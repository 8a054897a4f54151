import { routes } from "#components/routes.ts";
import { ButtonLink } from "#components/ui/button.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";

/** For ids that are missing or another account's: the two look alike. */
export default function NotFound() {
  return (
    <Page>
      <PageHeader
        title="Not found"
        sentence="There is nothing at this address in this account."
        action={<ButtonLink href={routes.overview()}>Go to the overview</ButtonLink>}
      />
    </Page>
  );
}
