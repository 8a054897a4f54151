/** What the form of a task holds. */
export interface TaskValues {
  input: string;
  instructions: string;
  /** The tools that were chosen; null for everything that only reads. */
  tools: string[] | null;
  approveWrites: boolean;
  maxSteps: number | null;
  maxTokens: number | null;
  maxCredits: number | null;
  /** Empty: the platform's model. */
  connectionId: string;
  model: string;
}

export const initialValues: TaskValues = {
  input: "",
  instructions: "",
  tools: null,
  approveWrites: true,
  maxSteps: 10,
  maxTokens: 100_000,
  maxCredits: 200,
  connectionId: "",
  model: "",
};

/** The input of the run. */
export function inputOf(values: TaskValues): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== "" && value !== null));
}
