/** The last calls of two accounts: for each account, one of them is the last call of another. */
let latest = { accountId: "", at: Number.NEGATIVE_INFINITY };
let before = latest;

/** Notes that an account makes a call, at a time of `performance.now()`. */
export function noteCaller(accountId: string, at: number): void {
  if (accountId === latest.accountId) latest.at = at;
  else [before, latest] = [latest, { accountId, at }];
}

/** Returns when an account other than this one made its last call; `performance.now()`. */
export function lastCallBeside(accountId: string): number {
  return accountId === latest.accountId ? before.at : latest.at;
}
