"use client";

import { LoaderCircle } from "lucide-react";
import { usePathname, useSearchParams } from "next/navigation";
import type { ComponentProps } from "react";
import { cn } from "#components/ui/cn.ts";
import { ConsoleLink } from "#components/ui/console-link.tsx";
import { Pressable } from "#components/ui/pressable.tsx";

const base = [
  "inline-flex shrink-0 select-none items-center justify-center gap-1.5 whitespace-nowrap rounded-md border font-medium",
  "transition-colors not-data-waiting:disabled:cursor-not-allowed not-data-waiting:disabled:opacity-50 aria-busy:cursor-progress",
];
const variants = {
  primary: "border-transparent bg-accent text-accent-ink not-disabled:hover:bg-accent-hover",
  secondary: "border-line-strong/60 bg-canvas text-ink not-disabled:hover:bg-hover",
  danger: "border-transparent bg-bad-fill text-accent-ink not-disabled:hover:bg-bad-fill-hover",
  ghost: "border-transparent text-ink not-disabled:hover:bg-hover",
};
const sizes = { md: "h-8 px-3 text-14", sm: "h-7 px-2 text-13" };

type Look = { variant?: keyof typeof variants; size?: keyof typeof sizes };

export function look({ variant = "secondary", size = "md" }: Look): string {
  return cn(base, variants[variant], sizes[size]);
}

/**
 * A button: `<Button variant="primary" pending={create.isPending}>Create key</Button>`. While pending it keeps its
 * width and focus, and ignores clicks.
 */
export function Button({
  variant,
  size,
  pending = false,
  className,
  children,
  onClick,
  ...props
}: ComponentProps<"button"> & Look & { pending?: boolean }) {
  return (
    <Pressable
      aria-busy={pending || undefined}
      aria-disabled={pending || undefined}
      className={cn(look({ variant, size }), "relative", className)}
      onClick={pending ? (event) => event.preventDefault() : onClick}
      {...props}
    >
      {pending && <LoaderCircle aria-hidden className="absolute size-4 animate-spin" />}
      <span className={cn("inline-flex items-center gap-1.5", pending && "opacity-0")}>{children}</span>
    </Pressable>
  );
}

/**
 * A button with an address, for opening a side modal: `<ButtonLink variant="primary"
 * href={routes.projects.create()}>New project</ButtonLink>`.
 * Screen readers announce it as a button and keys press it like one, but it can be opened in a new tab. A side modal
 * opened over a list keeps the list's filters in the address.
 */
export function ButtonLink({
  variant,
  size,
  href,
  className,
  ...props
}: Omit<ComponentProps<"a">, "href"> & { href: string } & Look) {
  const pathname = usePathname();
  const search = useSearchParams();
  const opensOverThisPage = search.size > 0 && href.startsWith(`${pathname}/`) && !href.includes("?");
  return (
    <ConsoleLink
      href={opensOverThisPage ? `${href}?${search}` : href}
      role="button"
      prefetch={false}
      className={cn(look({ variant, size }), className)}
      onKeyDown={(event) => {
        if (event.key !== " ") return;
        event.preventDefault();
        event.currentTarget.click();
      }}
      {...props}
    />
  );
}
