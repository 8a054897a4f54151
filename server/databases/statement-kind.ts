/** Statements that would end the transaction that the platform opened, or speak another protocol. */
const REFUSED = new Set([
  "abort",
  "begin",
  "commit",
  "copy",
  "deallocate",
  "discard",
  "end",
  "execute",
  "listen",
  "load",
  "prepare",
  "release",
  "rollback",
  "savepoint",
  "start",
  "unlisten",
]);

/** Returns the first word of a statement in lower case, after comments (SQL's nest) and parentheses. */
function firstWord(sql: string): string {
  let at = 0;
  while (at < sql.length) {
    if (/[\s(;]/.test(sql.charAt(at))) at += 1;
    else if (sql.startsWith("--", at)) at = endOf(sql.slice(at).search(/[\n\r]/), at, sql);
    else if (sql.startsWith("/*", at)) at = endOfComment(sql, at);
    else break;
  }
  return /^\w*/.exec(sql.slice(at, at + 40))?.[0].toLowerCase() ?? "";
}

const endOf = (length: number, at: number, sql: string) => (length === -1 ? sql.length : at + length);

function endOfComment(sql: string, start: number): number {
  let depth = 0;
  for (let at = start; at < sql.length; at++) {
    if (sql.startsWith("/*", at)) {
      depth += 1;
      at += 1;
    } else if (sql.startsWith("*/", at)) {
      depth -= 1;
      at += 1;
      if (depth === 0) return at + 1;
    }
  }
  return sql.length;
}

/** Returns the fault of a statement's kind, or null. PostgreSQL itself refuses a second statement behind it. */
export function kindFault(sql: string): string | null {
  const word = firstWord(sql);
  if (word === "") return "Holds no statement.";
  if (!REFUSED.has(word)) return null;
  return `${word.toUpperCase()} can't be sent: the platform opens and ends each call's transaction, and rows come back as JSON.`;
}
