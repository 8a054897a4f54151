import type { LucideIcon } from "lucide-react";

export type MenuItem = {
  /** Needed if labels repeat. */
  id?: string;
  label: string;
  icon?: LucideIcon;
  danger?: boolean;
  disabled?: boolean;
  /** For one of several options: true for the current one. */
  checked?: boolean;
  /** Draws a line above. */
  separated?: boolean;
} & ({ href: string } | { onSelect: () => void });
