import { readProblem } from "#components/ui/problem.ts";

/** Returns the error of an insert with its fault at the column that PostgreSQL's message names, if it names one. */
export function atColumn(error: unknown, columns: readonly { name: string }[]): unknown {
  const problem = error ? readProblem(error) : null;
  const message = problem?.issues[0]?.message;
  const column = columns.find(({ name }) => message?.includes(`column "${name}"`));
  if (!message || !column) return error;
  const path = column.name;
  return { error: { ...problem, message: `${path}: ${message}`, issues: [{ path, message }] } };
}
