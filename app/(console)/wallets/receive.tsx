"use client";

import { useQuery } from "@tanstack/react-query";
import { Copyable } from "#components/ui/copyable.tsx";
import { Section } from "#components/ui/section.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";

const SIZE = 160;

/** Shows the address to send to, also as a QR code. */
export function Receive({ address }: { address: string }) {
  const { data } = useQuery({
    queryKey: ["qr", address],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => {
      const { toDataURL } = await import("qrcode");
      return toDataURL(address, { margin: 2, width: 2 * SIZE });
    },
  });
  return (
    <Section
      id="receive"
      title="Receive"
      description="The same address on every network. Deposits are listed above."
    >
      <div className="flex flex-wrap items-center gap-4">
        {data ? (
          // biome-ignore lint/performance/noImgElement: made here, in the browser.
          <img
            src={data}
            width={SIZE}
            height={SIZE}
            alt={`QR code of ${address}`}
            className="rounded-md border bg-white"
          />
        ) : (
          <Skeleton className="size-40" />
        )}
        <Copyable value={address} full />
      </div>
    </Section>
  );
}
