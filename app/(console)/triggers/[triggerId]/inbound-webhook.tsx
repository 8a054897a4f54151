"use client";

import { schemes, type Trigger } from "#app/(console)/triggers/queries.ts";
import { Button } from "#components/ui/button.tsx";
import { Copyable } from "#components/ui/copyable.tsx";
import { Facts, Section } from "#components/ui/section.tsx";
import { ExactTime } from "#components/ui/time.tsx";

type Webhook = Extract<Trigger["on"], { webhook: object }>["webhook"];

/** Shows the address for the provider, its signature scheme, and the number of deliveries with a wrong signature. */
export function InboundWebhook({
  webhook,
  onRotate,
}: {
  webhook: Webhook;
  onRotate?: (() => void) | undefined;
}) {
  const { address, scheme, headerName, secretFingerprint, previousAddressUntil } = webhook;
  return (
    <Section
      title="Webhook"
      description="The provider delivers to this address, by POST."
      action={onRotate && <Button onClick={onRotate}>Rotate address</Button>}
    >
      <Facts
        items={[
          {
            name: "Address",
            value: address ? <Copyable value={address} full /> : "Shown to those who may start runs",
          },
          ...(previousAddressUntil
            ? [
                {
                  name: "Previous address",
                  value: (
                    <>
                      Good until <ExactTime at={previousAddressUntil} />
                    </>
                  ),
                },
              ]
            : []),
          { name: "Signed by", value: `${schemes[scheme].label}${headerName ? `, in ${headerName}` : ""}` },
          ...(secretFingerprint
            ? [
                {
                  name: "Secret’s fingerprint",
                  value: <span className="font-mono">{secretFingerprint}</span>,
                },
              ]
            : []),
          { name: "At most", value: `${webhook.requestsPerMinute.toLocaleString("en")} deliveries a minute` },
          { name: "Rejected deliveries", value: webhook.rejectedDeliveries.toLocaleString("en") },
        ]}
      />
    </Section>
  );
}
