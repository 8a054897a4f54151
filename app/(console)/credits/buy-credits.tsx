"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { payForCredits } from "#app/(console)/credits/pay-for-credits.ts";
import { browserWallet, payByBrowser, payByWallet } from "#app/(console)/credits/payers.ts";
import { Field } from "#components/form/field.tsx";
import { useTRPC, useTRPCClient } from "#components/trpc.tsx";
import { Credits } from "#components/ui/amount.tsx";
import { Button } from "#components/ui/button.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { Input } from "#components/ui/input.tsx";
import { Section } from "#components/ui/section.tsx";
import { Select } from "#components/ui/select.tsx";

const BROWSER = "browser";

/** Buys credits with a stable coin: from a wallet in the browser, or one of the account's own. */
export function BuyCredits() {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queries = useQueryClient();
  const [amount, setAmount] = useState("25");
  const [from, setFrom] = useState(BROWSER);
  const wallets = useQuery(trpc.wallets.list.queryOptions({ limit: 100 })).data?.wallets ?? [];
  const buy = useMutation({
    async mutationFn() {
      const own = wallets.find(({ id }) => id === from);
      const provider = browserWallet();
      if (!own && !provider)
        throw { message: "This browser has no wallet. Install one, or pay from a wallet of the account." };
      const payer = own
        ? payByWallet(client, own)
        : await payByBrowser(provider as NonNullable<typeof provider>);
      return payForCredits(Number(amount), payer);
    },
    onSuccess: () => queries.invalidateQueries(trpc.credits.pathFilter()),
  });
  return (
    <Section
      title="Buy credits"
      description="5 to 500 USD, paid in the installation's stable coin by x402; 1 USD brings 1,000 credits, at once."
    >
      <form
        className="flex flex-wrap items-end gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          buy.mutate();
        }}
      >
        <Field name="amountUsd" label="Amount (USD)" error={undefined}>
          {(control) => (
            <Input
              {...control}
              className="w-32"
              inputMode="decimal"
              value={amount}
              onChange={(event) => setAmount(event.target.value)}
            />
          )}
        </Field>
        <Field name="payer" label="Pay from" error={undefined}>
          {(control) => (
            <Select
              {...control}
              options={[
                { value: BROWSER, label: "A wallet in this browser" },
                ...wallets.map(({ id, label }) => ({ value: id, label })),
              ]}
              value={from}
              onChange={(event) => setFrom(event.target.value)}
            />
          )}
        </Field>
        <Button type="submit" variant="primary" pending={buy.isPending}>
          Buy credits
        </Button>
      </form>
      <ErrorNotice what="No credits were bought." error={buy.error} />
      {buy.data && (
        <p role="status">
          <Credits value={buy.data.creditedCredits} /> are yours.{" "}
          <a
            className="text-accent-text underline underline-offset-2"
            href={`/receipts/${buy.data.receiptId}`}
          >
            Signed receipt
          </a>
        </p>
      )}
    </Section>
  );
}
