import type { ReactNode } from "react";
import { plainText } from "#components/ui/plain-name.ts";

/** Shows a few words about an item of a list: `<Chip>50 USD each</Chip>`. */
export function Chip({ title, children }: { title?: string; children: ReactNode }) {
  return (
    <span title={title} className="relative min-w-0 truncate rounded-md bg-hover px-1.5 py-0.5 text-12">
      {plainText(children)}
    </span>
  );
}
