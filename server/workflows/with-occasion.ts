type Input = Record<string, unknown> & { input?: unknown };

/**
 * Returns the input of a workflow's run that a trigger starts: expressions read the time as `input.scheduledAt`, or the
 * event as `input.event`.
 */
export function withOccasion(sent: Input, occasion: Record<string, unknown>): Input {
  const { input = {} } = sent;
  const isFields = typeof input === "object" && input !== null && !Array.isArray(input);
  return isFields ? { ...sent, input: { ...occasion, ...input } } : sent;
}
