"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { SideModalForm } from "#components/form/side-modal-form.tsx";
import { SelectField, TextField } from "#components/form/text-fields.tsx";
import { useWalletChoices } from "#components/form/use-choices.tsx";
import { useForm } from "#components/form/use-form.ts";
import { routes } from "#components/routes.ts";
import { useTRPC, useTRPCClient } from "#components/trpc.tsx";
import { Credits } from "#components/ui/amount.tsx";
import { defined } from "#server/base/defined.ts";

const BROWSER = "browser";

/** Returns an error that the form shows at the choice of the payer. */
function refusedPayer(message: string) {
  const issues = [{ path: "body.payer", message }];
  return { error: { code: "invalid_request", message, operationState: "not_started", issues } };
}

/** Buys credits with a stablecoin: from a wallet in the browser, or one of the account's own. */
export function BuyCredits() {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queries = useQueryClient();
  const form = useForm({
    schema: () => import("#server/credits/schema.ts").then(({ TopUp }) => TopUp),
    initial: { amountUsd: "25", payer: BROWSER },
    toInput: ({ amountUsd }) => ({ amountUsd: amountUsd.trim() === "" ? undefined : Number(amountUsd) }),
  });
  const { wallets, options, find } = useWalletChoices();
  const buy = useMutation({
    async mutationFn({ amountUsd }: { amountUsd: number }) {
      const [{ payForCredits }, { browserWallet, payByBrowser, payByWallet }] = await Promise.all([
        import("#app/(console)/credits/pay-for-credits.ts"),
        import("#app/(console)/credits/payers.ts"),
      ]);
      const own = wallets.find(({ id }) => id === form.values.payer);
      const provider = browserWallet();
      if (!own && !provider)
        throw refusedPayer("This browser has no wallet. Install one, or pay from a wallet of the account.");
      const payer = own ? payByWallet(client, own) : await payByBrowser(defined(provider));
      return payForCredits(amountUsd, payer);
    },
    onSuccess: () => queries.invalidateQueries(trpc.credits.pathFilter()),
  });
  return (
    <SideModalForm
      title="Buy credits"
      description="5 to 500 USD, paid in the installation's stable coin by x402; 1 USD brings 1,000 credits, at once."
      parent={routes.credits()}
      submitLabel="Pay"
      form={form}
      onSubmit={(input) => buy.mutate(input)}
      pending={buy.isPending}
      error={buy.error}
      failed="No credits were bought."
    >
      <TextField label="Amount (USD)" inputMode="decimal" {...form.field("amountUsd")} />
      <SelectField
        label="Pay from"
        options={[{ value: BROWSER, label: "A wallet in this browser" }, ...options]}
        find={find}
        {...form.field("payer")}
      />
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
    </SideModalForm>
  );
}
