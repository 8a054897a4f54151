import { type ClassValue, clsx } from "clsx";

/**
 * Joins class names. Conflicting classes are not merged, which would cost each page 8 KB: a component's `className`
 * must add to its own classes (position, width), not override them.
 */
export function cn(...classes: ClassValue[]): string {
  return clsx(classes);
}
