import type { Metadata } from "next";
import { SecondFactor } from "#app/(console)/security/second-factor/second-factor.tsx";
import { requirePerson } from "#app/current-person.ts";
import { routes } from "#components/routes.ts";
import { TextLink } from "#components/ui/link.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";

export const metadata: Metadata = { title: "Second factor" };

export default async function SecondFactorPage() {
  const { secondFactor, mustEnrol, accountName } = await requirePerson();
  return (
    <Page>
      <PageHeader
        title={secondFactor ? "Turn off second factor" : "Set up second factor"}
        sentence={
          secondFactor
            ? "Afterwards the password alone signs you in, and the recovery codes count for nothing."
            : mustEnrol
              ? `${accountName} requires a second factor of every member. Once yours is on, the console is open to you again. You need an authenticator app that makes codes of six digits.`
              : "You need an authenticator app that makes codes of six digits."
        }
        back={<TextLink href={routes.security()}>Security</TextLink>}
      />
      <SecondFactor on={secondFactor} />
    </Page>
  );
}
