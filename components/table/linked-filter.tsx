import { Chip } from "#components/ui/chip.tsx";
import { plainName } from "#components/ui/plain-name.ts";

/** Shows a filter that a link has set; "Clear filters" removes it. */
export function LinkedFilter({ label, value }: { label: string; value: string }) {
  if (value === "") return null;
  const shown = plainName(value);
  return (
    <Chip title={shown}>
      {label} <bdi>{shown}</bdi>
    </Chip>
  );
}
