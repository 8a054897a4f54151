type Input = Record<string, unknown> & { input?: unknown };

/**
 * The input of a run of a workflow that is started by itself: expressions read the time as `input.scheduledAt`, or the event
 * as `input.event`.
 */
export function withOccasion(sent: Input, occasion: Record<string, unknown>): Input {
  const { input = {} } = sent;
  const isFields = typeof input === "object" && input !== null && !Array.isArray(input);
  return isFields ? { ...sent, input: { ...occasion, ...input } } : sent;
}
