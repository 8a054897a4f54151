/** What a handler answers in place of its output where one of its lists is JSON already, and too long to be read again. */
export class WrittenAnswer {
  readonly field: string;
  readonly json: string;
  /** The output with the list left empty; it is checked as any other. */
  readonly output: Record<string, unknown>;

  constructor(field: string, json: string, output: Record<string, unknown>) {
    this.field = field;
    this.json = json;
    this.output = { ...output, [field]: [] };
  }
}
