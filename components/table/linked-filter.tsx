import { Chip } from "#components/ui/chip.tsx";

/** Shows a filter that a link has set; "Clear filters" removes it. */
export function LinkedFilter({ label, value }: { label: string; value: string }) {
  if (value === "") return null;
  return (
    <Chip title={value}>
      {label} <bdi>{value}</bdi>
    </Chip>
  );
}
