"use client";

import { useFaucet } from "#app/(console)/wallets/use-faucet.ts";
import { Button } from "#components/ui/button.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { toast } from "#components/ui/toast.tsx";

/** Gives test money on the sandbox's chains; shows nothing if there are none. */
export function Faucet({ walletId }: { walletId: string }) {
  const { give, offered } = useFaucet();
  if (!offered) return null;
  const onSuccess = () => toast("Test money has arrived.");
  return (
    <div className="flex flex-col items-end gap-2">
      <Button pending={give.isPending} onClick={() => give.mutate(walletId, { onSuccess })}>
        Get test money
      </Button>
      <ErrorNotice what="The faucet gave nothing." error={give.error} />
    </div>
  );
}
