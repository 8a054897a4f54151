import NextLink from "next/link";
import type { ComponentProps } from "react";
import { cn } from "#components/ui/cn.ts";

/** A link inside text. */
export function TextLink({ className, ...props }: ComponentProps<typeof NextLink>) {
  return (
    <NextLink
      prefetch={false}
      className={cn("text-accent-text underline underline-offset-2", className)}
      {...props}
    />
  );
}
