"use client";

import type { ComponentProps } from "react";
import { useWaiting } from "#components/ui/waiting.ts";

/** The bare button behind every other; it waits for the page's scripts. */
export function Pressable({ disabled, ref, ...props }: ComponentProps<"button">) {
  return <button type="button" {...useWaiting({ disabled, ref })} {...props} />;
}
