"use client";

import { useQuery } from "@tanstack/react-query";

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

/** A network by its name, with its id beside it: `<Network id="eip155:8453" />`. */
export function Network({ id }: { id: string }) {
  const name = useNetworks().nameOf(id);
  if (name === id) return <span className="font-mono">{id}</span>;
  return (
    <>
      {name} <span className="font-mono text-12 text-muted">{id}</span>
    </>
  );
}
