"use client";

import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { BalanceFigures } from "#app/(console)/credits/balance-figures.tsx";
import { LowCredits } from "#app/(console)/credits/low-credits.tsx";
import { balanceQuery } from "#app/(console)/credits/queries.ts";
import { routes } from "#components/routes.ts";
import { useTRPC } from "#components/trpc.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { useIsInProject } from "#components/ui/chosen-project.ts";
import { CodeBlock } from "#components/ui/code-block.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { Page, PageHeader } from "#components/ui/page-header.tsx";
import { Section } from "#components/ui/section.tsx";

/** Loaded separately, so that buying credits over this page loads little script first. */
const BurnDown = dynamic(() =>
  import("#app/(console)/credits/burn-down.tsx").then(({ BurnDown }) => BurnDown),
);

const Spending = dynamic(() =>
  import("#app/(console)/credits/spending.tsx").then(({ Spending }) => Spending),
);

const Statement = dynamic(() =>
  import("#app/(console)/credits/statement.tsx").then(({ Statement }) => Statement),
);

/** Shows the spendable credits, and the origin and use of every credit. */
export function CreditsPage({ accountId, mayBuy }: { accountId: string; mayBuy: boolean }) {
  const trpc = useTRPC();
  const isInProject = useIsInProject();
  const balance = useQuery(trpc.credits.balance.read.queryOptions(balanceQuery));

  return (
    <Page>
      <PageHeader
        title="Credits"
        sentence={`Calls of metered operations are paid in credits: 1,000 credits are one US dollar.${isInProject ? " The account’s balance pays for the calls of all its projects." : ""}`}
        action={
          mayBuy && (
            <ButtonLink variant="primary" href={routes.creditsBuy()}>
              Buy credits
            </ButtonLink>
          )
        }
      />
      <ErrorNotice what="The balance could not be loaded." error={balance.error} />
      <LowCredits balance={balance.data?.balance} />
      <BalanceFigures balance={balance.data?.balance} />
      <BurnDown mayBuy={mayBuy} />
      <Spending />
      <Statement />
      <GetMore accountId={accountId} />
    </Page>
  );
}

const TOP_UP = `curl -i "$BASE_URL/v1/credits/x402/top-up" -H "Authorization: Bearer $API_KEY" \\
  -H "Idempotency-Key: top-up-0001" -H "Content-Type: application/json" -d '{"amountUsd":25}'`;

/** Shows how the account gets credits: from the installation's operator, or by buying them. */
function GetMore({ accountId }: { accountId: string }) {
  return (
    <Section
      title="Get more credits"
      description="The operator of this installation adds them from its terminal; they can be spent at once."
    >
      <CodeBlock
        label="terminal"
        code={`npm run --silent account -- credit --account ${accountId} --credits 10000`}
      />
      <p className="text-muted">
        A backend with dollars on a chain can buy credits itself, 5 to 500 USD at a time: the response states
        the payment, and any x402 client signs it.
      </p>
      <CodeBlock label="x402" code={TOP_UP} />
    </Section>
  );
}
