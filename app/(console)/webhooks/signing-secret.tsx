import { ShownOnce } from "#components/ui/shown-once.tsx";

/** Shows a webhook's new secret and its purpose. */
export function SigningSecret({ secret, onDone }: { secret: string; onDone: () => void }) {
  return (
    <ShownOnce title="The webhook’s secret" secret={secret} onDone={onDone}>
      <p className="text-13 text-muted">
        Check each delivery with it before you believe it: the libraries of Standard Webhooks and Svix take it
        as it is.
      </p>
    </ShownOnce>
  );
}
