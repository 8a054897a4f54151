import { createInterface } from "node:readline/promises";
import { PlatformError } from "../../../typescript/src/index.ts";
import { type Arguments, formatOf } from "../arguments.ts";
import { UsageError } from "../failure.ts";
import { plainText, printRows, say } from "../output.ts";
import type { OwnCommand } from "../own-command.ts";
import { openSession, type Session } from "../session.ts";

const PROMPT = "db> ";
const TABLES = `select table_schema as schema, table_name as name, table_type as type from information_schema.tables
  where table_schema not in ('pg_catalog', 'information_schema') order by 1, 2`;
const COLUMNS = `select column_name as name, data_type as type, is_nullable as nullable, column_default as "default"
  from information_schema.columns where table_name = $1 and table_schema not in ('pg_catalog', 'information_schema')
  order by table_schema, ordinal_position`;

/** Queries the account's database: with one statement, or at a prompt. */
export const database: OwnCommand = {
  words: [["db"]],
  usage: '["select …"] [--all]',
  summary: "Read the account's database; alone it asks for statements",
  about: {
    "--all": "every row; by default the first page",
    "\\dt, \\d NAME, \\q": "at the prompt: the tables, a table's columns, the end",
  },
  options: () => ({ all: { type: "boolean" } }),
  async run(given) {
    const session = await openSession(given);
    const [sql, ...more] = given.positionals;
    if (more.length > 0) throw new UsageError("Quote the statement: msp db 'select 1'.");
    if (sql !== undefined) return query(session, sql, [], given);
    return converse(session, given);
  },
};

async function query(session: Session, sql: string, params: unknown[], given: Arguments): Promise<void> {
  const format = formatOf(given);
  const input = { sql, params, rowMode: "array" as const };
  let cursor: string | null = null;
  for (let first = true; first || (given.values.all && cursor !== null); first = false) {
    const page = await session.platform.databases.query({ ...input, ...(cursor !== null && { cursor }) });
    const names = unique(page.columns.map(({ name }) => name));
    const rows = page.rows.map((row) =>
      Object.fromEntries(names.map((name, nth) => [name, (row as unknown[])[nth]])),
    );
    if (format === "csv" && !first) printRows(rows, format, names, { heading: false });
    else printRows(rows, format, names);
    if (format === "table" && rows.length === 0) say("No rows.");
    cursor = page.nextCursor;
  }
  if (cursor !== null) say("There are more rows: --all");
}

/** Makes duplicate column names unique. */
function unique(names: readonly string[]): string[] {
  return names.map((name, nth) => {
    const before = names.slice(0, nth).filter((other) => other === name).length;
    return before === 0 ? name : `${name}_${before + 1}`;
  });
}

async function converse(session: Session, given: Arguments): Promise<void> {
  const isTerminal = process.stdin.isTTY === true;
  const terminal = createInterface({ input: process.stdin, output: process.stderr, terminal: isTerminal });
  terminal.setPrompt(PROMPT);
  if (isTerminal) terminal.prompt();
  let statement = "";
  for await (const line of terminal) {
    const text = line.trim();
    if (statement === "" && text === "\\q") break;
    statement = `${statement}\n${line}`.trim();
    if (statement.startsWith("\\") || statement.endsWith(";")) {
      await attempt(session, statement.replace(/;$/, ""), given, isTerminal);
      statement = "";
    }
    if (isTerminal) terminal.prompt();
  }
  terminal.close();
  if (statement !== "") await attempt(session, statement, given, isTerminal);
}

/** At a terminal, prints the failure of a statement and returns to the prompt. */
async function attempt(session: Session, text: string, given: Arguments, isTerminal: boolean): Promise<void> {
  try {
    const [, described] = /^\\d\s+(\S+)$/.exec(text) ?? [];
    if (text === "\\dt") await query(session, TABLES, [], given);
    else if (described !== undefined) await query(session, COLUMNS, [described], given);
    else if (text.startsWith("\\")) throw new UsageError(`${text} is none of \\dt, \\d NAME, \\q.`);
    else if (text !== "") await query(session, text, [], given);
  } catch (error) {
    if (!isTerminal || !(error instanceof PlatformError || error instanceof UsageError)) throw error;
    say(`error: ${plainText(error.message)}`);
  }
}
