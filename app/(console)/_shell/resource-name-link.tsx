"use client";

import { pageOf } from "#app/(console)/_shell/search-results.ts";
import { Copyable, shorten } from "#components/ui/copyable.tsx";
import { TextLink } from "#components/ui/link.tsx";
import { plainName } from "#components/ui/plain-name.ts";
import { useFound } from "#components/use-names.ts";

/** The link behind `ResourceLink`. */
export function ResourceNameLink({ id }: { id: string }) {
  const found = useFound([id]).get(id);
  if (!found) return <Copyable value={id} />;
  const { label } = found;
  return (
    <TextLink href={pageOf(found)} title={id} className="break-words">
      <bdi>{label.startsWith("0x") ? shorten(label) : plainName(label)}</bdi>
    </TextLink>
  );
}
