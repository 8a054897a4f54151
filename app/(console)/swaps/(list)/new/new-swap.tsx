"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useSymbols } from "#app/(console)/swaps/use-symbols.ts";
import { QuoteCard } from "#app/(console)/wallets/quote-card.tsx";
import { SideModalForm } from "#components/form/side-modal-form.tsx";
import { NumberField, SelectField, TextField } from "#components/form/text-fields.tsx";
import { useForm } from "#components/form/use-form.ts";
import { routes } from "#components/routes.ts";
import { useTRPC } from "#components/trpc.tsx";
import { Button } from "#components/ui/button.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { SideModal } from "#components/ui/side-modal.tsx";
import { toast } from "#components/ui/toast.tsx";

/** `eip155:31337/native` → network and asset. */
function partsOf(token: string) {
  const [network = "", asset = ""] = token.split("/");
  return { network, asset };
}

/** Exchanges in two steps: what would be received at least, then the deed. */
export function NewSwap() {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const router = useRouter();
  const wallets = useQuery(trpc.wallets.list.queryOptions({ limit: 100 })).data?.wallets ?? [];
  const { tokens, symbolOf } = useSymbols();
  const quote = useMutation(trpc.swaps.quote.mutationOptions());
  const execute = useMutation(
    trpc.swaps.execute.mutationOptions({
      async onSuccess({ swap }) {
        await queries.invalidateQueries(trpc.swaps.pathFilter());
        toast(swap.status === "awaiting_approval" ? "It waits for an approval." : "The swap is on its way.");
        router.push(routes.swaps.read(swap.id));
      },
    }),
  );
  const form = useForm({
    schema: () => import("#server/swaps/schema.ts").then(({ QuoteSwap }) => QuoteSwap),
    initial: {
      walletId: wallets[0]?.id ?? "",
      give: "",
      amount: "",
      want: "",
      slippageBps: 50 as number | null,
    },
    toInput: ({ walletId, give, amount, want, slippageBps }) => ({
      walletId,
      from: { ...partsOf(give), amount },
      to: partsOf(want),
      slippageBps: slippageBps ?? 50,
    }),
  });
  const options = tokens.map(({ network, asset, symbol }) => ({
    value: `${network}/${asset}`,
    label: `${symbol} on ${network}`,
  }));
  const choose = { value: "", label: "Choose" };

  if (quote.data) {
    const { expected, minimum, policy, id } = quote.data.quote;
    const [give, want] = [partsOf(form.values.give), partsOf(form.values.want)];
    const symbol = symbolOf(want.network, want.asset);
    return (
      <SideModal
        title="New swap"
        parent={routes.swaps.list()}
        footer={
          <>
            <Button onClick={() => quote.reset()}>Change</Button>
            <Button
              variant="primary"
              disabled={policy.decision === "deny"}
              pending={execute.isPending || execute.isSuccess}
              onClick={() => execute.mutate({ quoteId: id })}
            >
              {policy.decision === "approval" ? "Ask for approval" : "Swap now"}
            </Button>
          </>
        }
      >
        <QuoteCard
          quote={quote.data.quote}
          what={`Swap ${form.values.amount} ${symbolOf(give.network, give.asset)} for about ${expected} ${symbol}, at least ${minimum}.`}
        />
        <ErrorNotice what="Nothing was swapped." error={execute.error} />
      </SideModal>
    );
  }
  return (
    <SideModalForm
      title="New swap"
      parent={routes.swaps.list()}
      submitLabel="Get quote"
      form={form}
      pending={quote.isPending}
      error={quote.error}
      failed="There is no quote."
      onSubmit={(input) => quote.mutate(input)}
    >
      <SelectField
        label="Wallet"
        options={[choose, ...wallets.map(({ id, label }) => ({ value: id, label }))]}
        {...form.field("walletId")}
      />
      <SelectField label="Give" options={[choose, ...options]} {...form.field("give")} />
      <TextField label="Amount" hint="In whole units, given exactly." {...form.field("amount")} />
      <SelectField label="Receive" options={[choose, ...options]} {...form.field("want")} />
      <NumberField
        label="Slippage"
        unit="hundredths of a percent"
        hint="By so much less than expected may be received."
        min={0}
        max={5000}
        {...form.field("slippageBps")}
      />
    </SideModalForm>
  );
}
