"use client";

import { useQuery } from "@tanstack/react-query";
import { useAddressNames } from "#components/address-names.tsx";
import { useTRPC } from "#components/trpc.tsx";
import { plainName } from "#components/ui/plain-name.ts";

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

/** Shows the recipient's name, and a warning if the wallet has never sent to this address. */
export function RecipientNote({ walletId, to }: { walletId: string; to: string }) {
  const trpc = useTRPC();
  const whole = ADDRESS.test(to);
  const [named] = useAddressNames([to]).values();
  const { data } = useQuery({
    ...trpc.wallets.transactions.list.queryOptions({ walletId, to, status: "confirmed", limit: 1 }),
    enabled: whole,
    // The form itself reports a wrong checksum.
    retry: false,
  });
  return (
    <span role="status" className="break-words">
      {!whole && "An address, or a part of a name in the address book."}
      {whole && named && (
        <>
          <bdi className="font-medium text-ink">{plainName(named.name)}</bdi>.{" "}
        </>
      )}
      {whole && data?.transactions.length === 0 && (
        <span className="text-warn">This wallet has never sent there. Check every character.</span>
      )}
      {whole && data && data.transactions.length > 0 && "This wallet has sent there before."}
    </span>
  );
}
