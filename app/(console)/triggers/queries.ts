import type { TriggerTick, Trigger as WholeTrigger } from "#server/triggers/schema.ts";

type Start = Omit<WholeTrigger["start"], "input"> & { input?: unknown };
export type Trigger = Omit<WholeTrigger, "start"> & { start: Start };
export type Tick = TriggerTick;

export const filterNames = ["search", "status"] as const;

export const statuses = [
  { value: "active", label: "Active" },
  { value: "paused", label: "Paused" },
  { value: "ended", label: "Ended" },
] as const;

/** What the list asks for. */
export function triggersQuery(
  { search, status }: Record<(typeof filterNames)[number], string>,
  cursor?: string,
) {
  const wanted = statuses.find(({ value }) => value === status)?.value;
  return {
    ...(search.trim() && { search: search.trim().slice(0, 200) }),
    ...(wanted && { status: wanted }),
    ...(cursor && { cursor }),
  };
}

/** When a trigger starts runs, in words. */
export function scheduleText(on: Trigger["on"]): string {
  if ("cron" in on) return `${on.cron} (${on.timezone})`;
  if ("at" in on) return "Once";
  const { everySeconds } = on;
  const [unit, seconds] = (
    [
      ["day", 86_400],
      ["hour", 3600],
      ["minute", 60],
      ["second", 1],
    ] as const
  ).find(([, seconds]) => everySeconds % seconds === 0) ?? ["second", 1];
  const count = everySeconds / seconds;
  return count === 1 ? `Every ${unit}` : `Every ${count} ${unit}s`;
}

/** What a trigger starts, in words. */
export function startText({ serviceId, operationId, input }: Trigger["start"]): string {
  const name = (input as { name?: unknown } | null)?.name;
  if (serviceId === "managed-workflows" && operationId === "start" && typeof name === "string") return name;
  return `${serviceId} ${operationId}`;
}

const reasons = {
  manual: "By hand",
  owner_ended: "The key or the member who put it counts no more. Save it again to make it yours.",
  failing: "Too many runs in a row have failed",
  no_credits: "The account has no credits for the next run; it goes on when there are some",
};

export const pausedText = (reason: NonNullable<Trigger["pausedReason"]>) => reasons[reason];
