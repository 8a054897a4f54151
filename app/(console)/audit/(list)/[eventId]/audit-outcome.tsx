import { routes } from "#components/routes.ts";
import { Credits } from "#components/ui/amount.tsx";
import { TextLink } from "#components/ui/link.tsx";
import { Section } from "#components/ui/section.tsx";
import { Status } from "#components/ui/status.tsx";
import type { AuditEffects } from "#server/audit/schema.ts";

/** Shows a request's ledger entries, and its events with their deliveries; nothing if there are neither. */
export function AuditOutcome({ effects: { entries, events } }: { effects: AuditEffects }) {
  return (
    <>
      {entries.length > 0 && (
        <Section title="Credits booked">
          <ul className="flex flex-col">
            {entries.map(({ id, description, amount }) => (
              <li key={id} className="flex justify-between gap-4 border-b py-2">
                <TextLink href={routes.credits({ search: id })}>
                  <span className="break-words">{description}</span>
                </TextLink>
                <Credits value={amount} />
              </li>
            ))}
          </ul>
        </Section>
      )}
      {events.length > 0 && (
        <Section title="Events">
          <ul className="flex flex-col">
            {events.map(({ id, type, deliveries }) => (
              <li key={id} className="flex flex-col gap-1 border-b py-2">
                <span className="font-mono text-13">{type}</span>
                {deliveries.length === 0 && <span className="text-13 text-muted">Sent to no webhook.</span>}
                {deliveries.map(({ id, webhookId, status }) => (
                  <span key={id} className="flex flex-wrap items-center gap-2">
                    <Status value={status} />
                    <TextLink href={routes.webhooks.delivery(webhookId, id)}>
                      <span className="break-all font-mono text-13">{id}</span>
                    </TextLink>
                  </span>
                ))}
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  );
}
