/**
 * A handler's output with one list already serialised as JSON, since it is too long to parse and serialise
 * again.
 */
export class SerializedResult {
  readonly field: string;
  /** The list's JSON; parts of a long one are serialised when they are read. */
  readonly json: string | AsyncIterable<string>;
  /** The output with that list empty; it is validated like any other. */
  readonly output: Record<string, unknown>;

  constructor(field: string, json: string | AsyncIterable<string>, output: Record<string, unknown>) {
    this.field = field;
    this.json = json;
    this.output = { ...output, [field]: [] };
  }
}
