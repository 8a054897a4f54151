"use client";

import { useQuery } from "@tanstack/react-query";
import { Chip } from "#components/ui/chip.tsx";
import { Mark } from "#components/ui/mark.tsx";

interface ChainHealth {
  network: string;
  name: string;
  rpcUrl: string | null;
}

/** The networks of this installation, as `/health` lists them; none until it has answered. */
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
    /** What people call a network: `Base` for `eip155:8453`. */
    nameOf: (id: string) => networks.find(({ network }) => network === id)?.name ?? id,
    /** Those of the sandbox, whose money is for tests. */
    sandbox: networks.filter(({ rpcUrl }) => rpcUrl !== null).map(({ network }) => network),
  };
}

/** A network by its mark and name, with its id beside it: `<Network id="eip155:8453" />`. */
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

/** The first network by its name, and how many others there are: one line, whatever the row is about. */
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
