import "react";

declare module "react" {
  interface CSSProperties {
    /** A CSS variable, which Tailwind's classes read. */
    [variable: `--${string}`]: string | number | undefined;
  }
}
