/** A list's JSON in parts, which are serialised when they are read. */
export interface SerializedParts {
  parts: AsyncIterable<string>;
  /** Frees the source of the parts; called once they are read, or their reader has left. */
  close(): Promise<void>;
}

/**
 * A handler's output with one list already serialised as JSON, since it is too long to parse and serialise
 * again.
 */
export class SerializedResult {
  readonly field: string;
  /** The list's JSON; in parts only if the transport sends parts. */
  readonly json: string | SerializedParts;
  /** The output with that list empty; it is validated like any other. */
  readonly output: Record<string, unknown>;

  constructor(field: string, json: string | SerializedParts, output: Record<string, unknown>) {
    this.field = field;
    this.json = json;
    this.output = { ...output, [field]: [] };
  }
}
