/** The values of the task form. */
interface TaskValues {
  input: string;
  instructions: string;
  /** The chosen tools; null for all read-only tools. */
  tools: string[] | null;
  approveWrites: boolean;
  maxSteps: number | null;
  maxTokens: number | null;
  maxCredits: number | null;
  /** The connection to the model; empty for the platform's model. */
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

/** Converts the values to the run's input. */
export function inputOf(values: TaskValues): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== "" && value !== null));
}
