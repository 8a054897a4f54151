"use client";

import { useRevoking } from "#app/(console)/api-keys/use-revoking.tsx";
import { Button } from "#components/ui/button.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import type { ApiKey } from "#server/keys/schema.ts";

/** The last step of a rotation: revokes the old key, at once or when the traffic has moved. */
export function RevokeOld({ old, onDone }: { old: ApiKey; onDone: () => void }) {
  const revoking = useRevoking({ onRevoked: onDone });
  return (
    <>
      <Dialog
        open={!revoking.asking}
        onOpenChange={onDone}
        title={`Is “${old.label}” out of use?`}
        footer={
          <>
            <Button onClick={onDone}>Later</Button>
            <Button variant="danger" onClick={() => revoking.ask(old)}>
              Revoke the old key
            </Button>
          </>
        }
      >
        <p>
          Where nothing uses the old key any more, revoke it now. Otherwise move your traffic to the new
          secret first, watch “Last used” of the old key, and revoke it then.
        </p>
      </Dialog>
      {revoking.dialog}
    </>
  );
}
