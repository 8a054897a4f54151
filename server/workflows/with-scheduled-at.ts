type Input = Record<string, unknown> & { input?: unknown };

/** The input of a run of a workflow that is started by itself: expressions read the time as `input.scheduledAt`. */
export function withScheduledAt(sent: Input, scheduledAt: string): Input {
  const { input = {} } = sent;
  const isFields = typeof input === "object" && input !== null && !Array.isArray(input);
  return isFields ? { ...sent, input: { scheduledAt, ...input } } : sent;
}
