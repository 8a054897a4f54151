/** How a field of an operation is given on the command line. */
export interface Field {
  /** `texts` may be repeated; `json` is JSON, or `@` and the name of a file. */
  readonly kind: string;
  readonly required?: boolean;
  readonly nullable?: boolean;
  readonly choices?: readonly unknown[];
  readonly about?: string;
}

/** An operation's command in the generated table. */
export interface Command {
  readonly summary: string;
  readonly scope?: string;
  /** True if it needs no credential. */
  readonly public?: boolean;
  readonly destructive?: boolean;
  readonly fields: Readonly<Record<string, Field>>;
}
