import type { ReactNode } from "react";
import { cn } from "#components/ui/cn.ts";

type Tone = "neutral" | "ok" | "warn" | "bad" | "info";

const soft: Record<Tone, string> = {
  neutral: "bg-hover text-muted",
  ok: "bg-ok-soft text-ok",
  warn: "bg-warn-soft text-warn",
  bad: "bg-bad-soft text-bad",
  info: "bg-info-soft text-info",
};

/** The tone of each status of the API; a status that is not listed is neutral. */
const tones: Record<string, Tone> = {
  active: "ok",
  allowed: "ok",
  approved: "ok",
  available: "ok",
  completed: "ok",
  consumed: "ok",
  confirmed: "ok",
  filled: "ok",
  passed: "ok",
  ready: "ok",
  signed: "ok",
  started: "ok",
  succeeded: "ok",
  applying: "info",
  broadcast: "info",
  building: "info",
  filling: "info",
  open: "info",
  provisioning: "info",
  queued: "info",
  running: "info",
  uploading: "info",
  validating: "info",
  waiting: "info",
  awaiting_approval: "warn",
  cancelling: "warn",
  degraded: "warn",
  partially_filled: "warn",
  missed: "warn",
  paused: "warn",
  pending: "warn",
  abandoned: "bad",
  broken: "bad",
  denied: "bad",
  error: "bad",
  failing: "bad",
  failed: "bad",
  refused: "bad",
  rejected: "bad",
  revoked: "bad",
  unavailable: "bad",
};

/** A word in a colour: `<Badge tone="warn">Sandbox</Badge>`. */
export function Badge({
  tone = "neutral",
  className,
  children,
}: {
  tone?: Tone;
  className?: string;
  children: ReactNode;
}) {
  return (
    <span
      className={cn(
        "inline-flex h-5 max-w-full items-center gap-1.5 whitespace-nowrap rounded-md px-1.5 font-medium text-12",
        soft[tone],
        className,
      )}
    >
      {children}
    </span>
  );
}

/** Shows a resource's status in words and its colour: `<Status value={run.status} />`. */
export function Status({ value, tone = tones[value] ?? "neutral" }: { value: string; tone?: Tone }) {
  const words = value.replaceAll("_", " ");
  return (
    <Badge tone={tone}>
      <span aria-hidden="true" className="size-1.5 shrink-0 rounded-full bg-current" />
      {words.charAt(0).toUpperCase() + words.slice(1)}
    </Badge>
  );
}
