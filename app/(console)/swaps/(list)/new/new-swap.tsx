"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { QuotedForm } from "#app/(console)/_quote/quoted-form.tsx";
import { useSymbols } from "#app/(console)/_quote/use-symbols.ts";
import { NumberField, SelectField, TextField } from "#components/form/text-fields.tsx";
import { useWalletChoices } from "#components/form/use-choices.tsx";
import { useForm } from "#components/form/use-form.ts";
import { useNetworks } from "#components/networks.tsx";
import { routes } from "#components/routes.ts";
import { useTRPC } from "#components/trpc.tsx";
import { toast } from "#components/ui/toast.tsx";
import { useRouter } from "#components/ui/use-router.ts";
import type { Quote } from "#server/quotes/schema.ts";

/** Splits `eip155:31337/native` into network and asset. */
function partsOf(token: string) {
  const [network = "", asset = ""] = token.split("/");
  return { network, asset };
}

/** Swaps tokens in two steps: a quote with the minimum received, then the action. */
export function NewSwap() {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const router = useRouter();
  const { wallets, options: walletOptions, find } = useWalletChoices();
  const { tokens, symbolOf } = useSymbols();
  const { nameOf } = useNetworks();
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
    schema: () =>
      import("#server/swaps/schema.ts").then(({ QuoteSwap }) =>
        QuoteSwap.refine(({ walletId }) => walletId !== "", {
          path: ["walletId"],
          message: "Choose a wallet.",
        }),
      ),
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
    label: `${symbol} on ${nameOf(network)}`,
  }));
  const choose = { value: "", label: "Choose" };
  const describe = (values: typeof form.values, { expected, minimum }: Quote) => {
    const [give, want] = [partsOf(values.give), partsOf(values.want)];
    const [given, wanted] = [symbolOf(give.network, give.asset), symbolOf(want.network, want.asset)];
    return `Swap ${values.amount} ${given} for about ${expected} ${wanted}, at least ${minimum}.`;
  };
  return (
    <QuotedForm
      title="New swap"
      parent={routes.swaps.list()}
      form={form}
      quote={quote}
      onSubmit={(input) => quote.mutate(input)}
      what={describe}
      verb={() => "Swap now"}
      action={execute}
      onAction={(quoteId) => execute.mutate({ quoteId })}
      failed="Nothing was swapped."
    >
      <SelectField
        label="Wallet"
        options={[choose, ...walletOptions]}
        find={find}
        {...form.field("walletId")}
      />
      <SelectField label="Give" options={[choose, ...options]} {...form.field("give")} />
      <TextField label="Amount" hint="In whole units, given exactly." {...form.field("amount")} />
      <SelectField label="Receive" options={[choose, ...options]} {...form.field("want")} />
      <NumberField
        label="Slippage"
        unit="hundredths of a percent"
        hint="The amount received may be this much lower than quoted."
        min={0}
        max={5000}
        {...form.field("slippageBps")}
      />
    </QuotedForm>
  );
}
