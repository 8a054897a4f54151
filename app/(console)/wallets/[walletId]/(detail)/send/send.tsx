"use client";

import { useMutation, useQuery, useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { QuotedForm } from "#app/(console)/_quote/quoted-form.tsx";
import { RecipientNote } from "#app/(console)/wallets/[walletId]/(detail)/send/recipient-note.tsx";
import { AddressField } from "#components/form/address-field.tsx";
import { SelectField, TextField } from "#components/form/text-fields.tsx";
import { useForm } from "#components/form/use-form.ts";
import { useNetworks } from "#components/networks.tsx";
import { routes } from "#components/routes.ts";
import { useTRPC } from "#components/trpc.tsx";
import { toast } from "#components/ui/toast.tsx";
import { useRouter } from "#components/ui/use-router.ts";

/** Sends from a wallet in two steps: a quote with the policy's decision, then the action. */
export function Send({ walletId }: { walletId: string }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const router = useRouter();
  const parent = routes.wallets.read(walletId);
  const { wallet } = useSuspenseQuery(trpc.wallets.read.queryOptions({ walletId })).data;
  const balances = useQuery(trpc.wallets.balances.read.queryOptions({ walletId })).data?.balances ?? [];
  const quote = useMutation(trpc.wallets.transactions.quote.mutationOptions());
  const send = useMutation(
    trpc.wallets.transactions.create.mutationOptions({
      async onSuccess({ transaction }) {
        await queries.invalidateQueries(trpc.wallets.pathFilter());
        toast(transaction.status === "awaiting_approval" ? "It waits for an approval." : "It is on its way.");
        router.push(routes.wallets.transaction(walletId, transaction.id));
      },
    }),
  );
  const { nameOf } = useNetworks();
  const form = useForm({
    schema: () =>
      import("#server/wallets/transactions/schema.ts").then(({ QuoteTransaction }) => QuoteTransaction),
    initial: { network: wallet.networks[0] ?? "", asset: "native", to: "", amount: "", data: "" },
  });
  const { network, to } = form.values;
  const assets = balances
    .filter((balance) => balance.network === network)
    .map((balance) => ({ value: balance.asset, label: `${balance.symbol} (${balance.available})` }));
  const describe = ({ network, asset, amount, to }: typeof form.values) => {
    const symbol = balances.find((each) => each.network === network && each.asset === asset)?.symbol ?? asset;
    return `Send ${amount} ${symbol} to ${to} on ${nameOf(network)}.`;
  };

  return (
    <QuotedForm
      title="Send"
      parent={parent}
      form={form}
      quote={quote}
      onSubmit={(input) => quote.mutate({ walletId, ...input })}
      what={describe}
      verb={() => "Send now"}
      action={send}
      onAction={(quoteId) => send.mutate({ walletId, quoteId })}
      failed="Nothing was sent."
    >
      <SelectField
        label="Network"
        options={wallet.networks.map((value) => ({ value, label: nameOf(value) }))}
        {...form.field("network")}
        onChange={(network) => form.set({ network, asset: "native" })}
      />
      <SelectField
        label="Asset"
        options={assets.length > 0 ? assets : [{ value: "native", label: "Native" }]}
        {...form.field("asset")}
      />
      <AddressField label="To" hint={<RecipientNote walletId={walletId} to={to} />} {...form.field("to")} />
      <TextField label="Amount" hint="In whole units, like 12.5." {...form.field("amount")} />
      <TextField label="Calldata" optional hint="For a contract, in hexadecimal." {...form.field("data")} />
    </QuotedForm>
  );
}
