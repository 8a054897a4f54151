"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import type { Purchase } from "#app/(console)/credits/pay-for-credits.ts";
import { SideModalForm } from "#components/form/side-modal-form.tsx";
import { SelectField, TextField } from "#components/form/text-fields.tsx";
import { useWalletChoices } from "#components/form/use-choices.tsx";
import { useForm } from "#components/form/use-form.ts";
import { routes } from "#components/routes.ts";
import { useTRPC, useTRPCClient } from "#components/trpc.tsx";
import { Credits } from "#components/ui/amount.tsx";
import { readProblem } from "#components/ui/problem.ts";
import { SideModal } from "#components/ui/side-modal.tsx";

const BROWSER = "browser";
const TITLE = "Buy credits";

/** Returns an error that the form shows at the choice of the payer. */
function refusedPayer(message: string) {
  const issues = [{ path: "body.payer", message }];
  return { error: { code: "invalid_request", message, issues } };
}

/** Passes on why nothing was signed: whatever the wallet reports, no payment was sent. */
function refuse(reason: unknown): never {
  throw { error: { ...readProblem(reason), operationState: "not_started" } };
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
  const { options, find } = useWalletChoices();
  /** The signed payment whose outcome is not known: paying again repeats it. */
  const signed = useRef<{ amountUsd: number; payer: string; pay: () => Promise<Purchase> }>(null);

  async function sign(amountUsd: number, payer: string) {
    const [{ signPurchase }, { browserWallet, payByBrowser, payByWallet }] = await Promise.all([
      import("#app/(console)/credits/pay-for-credits.ts"),
      import("#app/(console)/credits/payers.ts"),
    ]);
    if (payer !== BROWSER) {
      const { wallet } = await client.wallets.read.query({ walletId: payer });
      return signPurchase(amountUsd, payByWallet(client, wallet));
    }
    const provider = browserWallet();
    if (!provider)
      throw refusedPayer("This browser has no wallet. Install one, or pay from a wallet of the account.");
    return signPurchase(amountUsd, await payByBrowser(provider));
  }

  const buy = useMutation({
    async mutationFn({ amountUsd }: { amountUsd: number }) {
      const { payer } = form.values;
      if (signed.current?.amountUsd !== amountUsd || signed.current.payer !== payer) signed.current = null;
      signed.current ??= { amountUsd, payer, pay: await sign(amountUsd, payer).catch(refuse) };
      try {
        return await signed.current.pay();
      } catch (reason) {
        if (readProblem(reason).operationState === "not_started") signed.current = null;
        throw reason;
      }
    },
    onSuccess: () => queries.invalidateQueries(trpc.credits.pathFilter()),
  });
  if (buy.data)
    return (
      <SideModal title={TITLE} parent={routes.credits()}>
        <p role="status">
          <Credits value={buy.data.creditedCredits} /> are yours.{" "}
          <a
            className="text-accent-text underline underline-offset-2"
            href={`/receipts/${buy.data.receiptId}`}
          >
            Signed receipt
          </a>
        </p>
      </SideModal>
    );
  return (
    <SideModalForm
      title={TITLE}
      description="5 to 500 USD, paid in the installation's stable coin by x402; 1 USD brings 1,000 credits, at once."
      parent={routes.credits()}
      submitLabel="Pay"
      form={form}
      onSubmit={(input) => buy.mutate(input)}
      pending={buy.isPending}
      error={buy.error}
      failed={
        signed.current
          ? "It is not known whether the payment arrived. Pay again: the same payment is repeated, and nothing is paid twice."
          : "No credits were bought."
      }
    >
      <TextField label="Amount (USD)" inputMode="decimal" {...form.field("amountUsd")} />
      <SelectField
        label="Pay from"
        options={[{ value: BROWSER, label: "A wallet in this browser" }, ...options]}
        find={find}
        {...form.field("payer")}
      />
    </SideModalForm>
  );
}
