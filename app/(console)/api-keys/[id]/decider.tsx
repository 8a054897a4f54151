import { routes } from "#components/routes.ts";
import { TextLink } from "#components/ui/link.tsx";
import type { ApiKey } from "#server/keys/schema.ts";

/** Shows the label of the key that decides; nothing if all keys of the chain agree. */
export function Decider({ keyId, chain }: { keyId: string | null; chain: readonly ApiKey[] }) {
  const decider = chain.find(({ id }) => id === keyId);
  if (!decider)
    return <span className="text-muted">{chain.length === 1 ? "This key" : `All ${chain.length} keys`}</span>;
  if (decider === chain.at(-1)) return <span>This key</span>;
  return <TextLink href={routes.apiKeys.read(decider.id)}>{decider.label}</TextLink>;
}
