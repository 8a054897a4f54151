/** Objects that an archive has to carry from one database to another. */
export interface Case {
  made: string[];
  /** A query whose result must be the same before and after. */
  asked: string;
  said: unknown[][];
}
