"use client";

import type { ComponentProps } from "react";
import { useWaiting } from "#components/ui/waiting.ts";

/** The unstyled button behind every other; disabled until the page's scripts run. */
export function Pressable({ disabled, ref, ...props }: ComponentProps<"button">) {
  return <button type="button" {...useWaiting({ disabled, ref })} {...props} />;
}
