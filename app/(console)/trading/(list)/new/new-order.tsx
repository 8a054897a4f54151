"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useSearchParams } from "next/navigation";
import { QuotedForm } from "#app/(console)/_quote/quoted-form.tsx";
import { SelectField, TextField } from "#components/form/text-fields.tsx";
import { useWalletChoices } from "#components/form/use-choices.tsx";
import { useForm } from "#components/form/use-form.ts";
import { routes } from "#components/routes.ts";
import { useTRPC } from "#components/trpc.tsx";
import { toCents } from "#components/ui/amount.tsx";
import { Segments } from "#components/ui/segments.tsx";
import { toast } from "#components/ui/toast.tsx";
import { useRouter } from "#components/ui/use-router.ts";
import type { TradingQuote } from "#server/trading/schema.ts";

const sides = [
  { value: "buy", label: "Buy" },
  { value: "sell", label: "Sell" },
];
const types = [
  { value: "market", label: "Market" },
  { value: "limit", label: "Limit" },
];
const times = [
  { value: "gtc", label: "Until it is filled, at most 90 days" },
  { value: "ioc", label: "What can be filled at once" },
  { value: "fok", label: "All of it at once, or nothing" },
];

/** Places an order in two steps: a quote of its cost or proceeds, then the action. */
export function NewOrder() {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const router = useRouter();
  const wanted = useSearchParams().get("market");
  const { wallets, options: walletOptions, find } = useWalletChoices();
  const markets = useQuery(trpc.trading.markets.list.queryOptions()).data?.markets ?? [];
  const quote = useMutation(trpc.trading.quotes.create.mutationOptions());
  const create = useMutation(
    trpc.trading.orders.create.mutationOptions({
      async onSuccess({ order }) {
        await queries.invalidateQueries(trpc.trading.pathFilter());
        toast(order.status === "awaiting_approval" ? "It waits for an approval." : "The order is placed.");
        router.push(routes.trading.read(order.id));
      },
    }),
  );
  const form = useForm({
    schema: () =>
      import("#server/trading/schema.ts").then(({ CreateTradingQuote }) =>
        CreateTradingQuote.refine(({ walletId }) => walletId !== "", {
          path: ["walletId"],
          message: "Choose a wallet.",
        }),
      ),
    initial: {
      walletId: wallets[0]?.id ?? "",
      symbol: wanted ?? markets[0]?.symbol ?? "",
      side: "buy",
      type: "market",
      quantity: "",
      limitPrice: "",
      timeInForce: "gtc",
    },
    toInput: ({ limitPrice, timeInForce, ...terms }) => ({
      ...terms,
      ...(terms.type === "limit" && { limitPrice, timeInForce }),
    }),
  });
  const { side, type, symbol } = form.values;
  const price = markets.find((market) => market.symbol === symbol)?.priceUsd;
  const verbOf = ({ side }: typeof form.values) => (side === "buy" ? "Buy" : "Sell");
  const describe = (values: typeof form.values, { price, maximumCost }: TradingQuote) =>
    [
      `${verbOf(values)} ${values.quantity} ${values.symbol}`,
      price === null ? " once its price is met" : ` at about ${price} USD`,
      maximumCost === null ? "." : `, for at most ${maximumCost} USD.`,
    ].join("");
  return (
    <QuotedForm
      title="New order"
      parent={routes.trading.list()}
      form={form}
      quote={quote}
      onSubmit={(input) => quote.mutate(input)}
      what={describe}
      verb={(values) => `${verbOf(values)} now`}
      action={create}
      onAction={(quoteId) => create.mutate({ quoteId })}
      failed="Nothing was ordered."
    >
      <SelectField
        label="Wallet"
        options={[{ value: "", label: "Choose" }, ...walletOptions]}
        find={find}
        {...form.field("walletId")}
      />
      <SelectField
        label="Symbol"
        options={markets.map((market) => ({ value: market.symbol, label: market.symbol }))}
        hint={price && `Now about ${toCents(price)} USD.`}
        {...form.field("symbol")}
      />
      <Segments label="Side" options={sides} value={side} onChange={(next) => form.set({ side: next })} />
      <Segments label="Type" options={types} value={type} onChange={(next) => form.set({ type: next })} />
      <TextField label="Quantity" hint="Of the first asset, in whole units." {...form.field("quantity")} />
      {type === "limit" && (
        <>
          <TextField label="Limit price" hint="In USD per unit, or better." {...form.field("limitPrice")} />
          <SelectField label="In force" options={times} {...form.field("timeInForce")} />
        </>
      )}
    </QuotedForm>
  );
}
