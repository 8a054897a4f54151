/** What an archive has to carry from one database to another. */
export interface Case {
  made: string[];
  /** What a database says of it, the same before and after. */
  asked: string;
  said: unknown[][];
}
