import { type ClassValue, clsx } from "clsx";

/**
 * Joins class names. Nothing is merged, which would cost each page 8 KB: a component's `className` adds to its own
 * classes (place, width), it does not overrule them.
 */
export function cn(...classes: ClassValue[]): string {
  return clsx(classes);
}
