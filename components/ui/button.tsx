import { cva, type VariantProps } from "class-variance-authority";
import { LoaderCircle } from "lucide-react";
import Link from "next/link";
import type { ComponentProps } from "react";
import { cn } from "#components/ui/cn.ts";

const button = cva(
  [
    "inline-flex shrink-0 select-none items-center justify-center gap-1.5 whitespace-nowrap rounded-md border font-medium",
    "transition-colors disabled:cursor-not-allowed disabled:opacity-50 aria-busy:cursor-progress",
  ],
  {
    variants: {
      variant: {
        primary:
          "border-transparent bg-accent text-accent-ink enabled:hover:bg-accent-hover [a&]:hover:bg-accent-hover",
        secondary: "border-line-strong bg-canvas text-ink enabled:hover:bg-hover [a&]:hover:bg-hover",
        danger: "border-transparent bg-bad-fill text-accent-ink enabled:hover:bg-bad-fill-hover",
        ghost: "border-transparent text-ink enabled:hover:bg-hover [a&]:hover:bg-hover",
      },
      size: { md: "h-8 px-3 text-14", sm: "h-7 px-2 text-13" },
    },
    defaultVariants: { variant: "secondary", size: "md" },
  },
);

type Look = VariantProps<typeof button>;

/**
 * A button that says what it does: `<Button variant="primary" pending={create.isPending}>Create key</Button>`.
 * While pending it keeps its width and focus, and clicks do nothing.
 */
export function Button({
  variant,
  size,
  pending = false,
  className,
  children,
  onClick,
  type = "button",
  ...props
}: ComponentProps<"button"> & Look & { pending?: boolean }) {
  return (
    <button
      type={type}
      aria-busy={pending || undefined}
      aria-disabled={pending || undefined}
      className={cn(button({ variant, size }), "relative", className)}
      onClick={pending ? (event) => event.preventDefault() : onClick}
      {...props}
    >
      {pending && <LoaderCircle aria-hidden className="absolute size-4 animate-spin" />}
      <span className={cn("inline-flex items-center gap-1.5", pending && "opacity-0")}>{children}</span>
    </button>
  );
}

/** A link that looks like a button: `<ButtonLink variant="primary" href={routes.newProject()}>New project</ButtonLink>`. */
export function ButtonLink({ variant, size, className, ...props }: ComponentProps<typeof Link> & Look) {
  return <Link className={cn(button({ variant, size }), className)} {...props} />;
}
