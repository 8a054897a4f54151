import type { ComponentProps } from "react";
import { cn } from "#components/ui/cn.ts";
import { ConsoleLink } from "#components/ui/console-link.tsx";
import { plainText } from "#components/ui/plain-name.ts";

/** A link inside text. */
export function TextLink({ className, children, ...props }: ComponentProps<typeof ConsoleLink>) {
  return (
    <ConsoleLink
      prefetch={false}
      className={cn("text-accent-text underline underline-offset-2", className)}
      {...props}
    >
      {plainText(children)}
    </ConsoleLink>
  );
}
