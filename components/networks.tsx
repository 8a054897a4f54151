"use client";

import { useQuery } from "@tanstack/react-query";
import { Chip } from "#components/ui/chip.tsx";
import { Mark } from "#components/ui/mark.tsx";

interface ChainHealth {
  network: string;
  name: string;
  rpcUrl: string | null;
}

/** Returns the networks of this installation, as listed by `/health`; none until it has responded. */
export function useNetworks() {
  const { data: networks = [] } = useQuery({
    queryKey: ["networks"],
    staleTime: Number.POSITIVE_INFINITY,
    async queryFn(): Promise<ChainHealth[]> {
      return (await (await fetch("/health")).json()).chains;
    },
  });
  return {
    networks,
    /** Returns a network's displayed name: `Base` for `eip155:8453`. */
    nameOf: (id: string) => networks.find(({ network }) => network === id)?.name ?? id,
    /** Returns the sandbox's networks, which carry test money. */
    sandbox: networks.filter(({ rpcUrl }) => rpcUrl !== null).map(({ network }) => network),
  };
}

/** Shows a network by its mark and name, with its id beside it: `<Network id="eip155:8453" />`. */
export function Network({ id }: { id: string }) {
  const name = useNetworks().nameOf(id);
  if (name === id) return <span className="font-mono">{id}</span>;
  return (
    <>
      <Mark name={name} />
      {name} <span className="font-mono text-12 text-muted">{id}</span>
    </>
  );
}

/** Shows the first network by its name and the number of the others, always on one line. */
export function NetworkChips({ ids }: { ids: readonly string[] }) {
  const { nameOf } = useNetworks();
  const [first, ...others] = ids;
  if (first === undefined) return <span className="text-muted">None</span>;
  const rest = others.map(nameOf).join(", ");
  return (
    <span className="flex min-w-0 gap-1">
      <Chip>{nameOf(first)}</Chip>
      {others.length > 0 && (
        <Chip title={rest}>
          <span aria-hidden>+{others.length}</span>
          <span className="sr-only">{rest}</span>
        </Chip>
      )}
    </span>
  );
}
