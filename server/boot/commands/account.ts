import { parseArgs } from "node:util";
import { eq } from "drizzle-orm";
import type { Database, Db, Transaction } from "#db/client.ts";
import { accounts, closedAccounts } from "#db/schema/accounts.ts";
import { defined } from "#server/base/defined.ts";
import { messageOf } from "#server/base/thrown.ts";
import { newUuid, toUuid } from "../../base/ids.ts";
import { adjustCredits, grantCredits } from "../../credits/post-credits.ts";
import type { Env } from "../../env/read-env.ts";
import { createCreditToken } from "../../keys/credit-tokens.ts";
import { createAccount } from "../../members/create-account.ts";
import { removeSecondFactor } from "../../members/enrol-second-factor.ts";
import { freezeAccount, StillBusy, thawAccount } from "../../members/freeze-account.ts";
import { linkTo } from "../../members/link-token.ts";
import { hashPassword } from "../../members/passwords.ts";
import { createPasswordReset } from "../../members/reset-password.ts";
import { Email } from "../../members/schema.ts";
import { setOperator } from "../../members/set-operator.ts";
import { accountIdOf } from "../account-id.ts";
import { hasMoved } from "../move/replicate.ts";
import { routesOf } from "../move/route.ts";
import { Refusal, sayFailure } from "../refusal.ts";
import { withDatabase } from "../with-database.ts";

const usage = `Use one of
  npm run --silent account -- create --email E --password P --credits N [--name NAME]
  npm run --silent account -- credit --account A --credits N
  npm run --silent account -- token --account A
  npm run --silent account -- reset-password --email E
  npm run --silent account -- remove-second-factor --email E
  npm run --silent account -- add-operator --email E
  npm run --silent account -- remove-operator --email E
  npm run --silent account -- freeze --account A [--seconds 60]
  npm run --silent account -- thaw --account A
  npm run --silent account -- move --account A --from URL --route COMMAND [--seconds 60] [--compare yes] [--same-people E,E]
  npm run --silent account -- routes --account A
  npm run --silent account -- forget --account A --moved-to URL`;

const OPTIONS = [
  "email",
  "password",
  "name",
  "account",
  "credits",
  "seconds",
  "from",
  "route",
  "compare",
  "same-people",
  "moved-to",
] as const;

type Values = Partial<Record<(typeof OPTIONS)[number], string>>;
type CommandResult = Promise<Record<string, unknown> | string[]>;
type Command = (tx: Transaction, values: Values, env: Env) => CommandResult;

function required(values: Values, name: keyof Values): string {
  const value = values[name];
  if (!value) throw new Refusal(`--${name} is missing.\n${usage}`);
  return value;
}

function creditsOf(values: Values): number {
  const text = required(values, "credits");
  if (!/^-?\d{1,15}$/.test(text)) throw new Refusal(`--credits ${text} is not a whole number of credits.`);
  return Number(text);
}

function emailOf(values: Values): string {
  const email = Email.safeParse(required(values, "email"));
  if (!email.success) throw new Refusal(`--email ${values.email} is no e-mail address.`);
  return email.data;
}

async function accountOf(tx: Transaction | Db, values: Values): Promise<string> {
  const given = required(values, "account");
  const id = accountIdOf(given);
  const found = id ? await tx.select().from(accounts).where(eq(accounts.id, id)) : [];
  if (!id || found.length === 0) throw new Refusal(`No account ${given}.`);
  return id;
}

async function changeOperator(tx: Transaction, values: Values, isOperator: boolean) {
  const email = emailOf(values);
  if (!(await setOperator(tx, email, isOperator))) throw new Refusal(`Nobody signs in as ${email}.`);
  return { email, isOperator };
}

const commands: Record<string, Command> = {
  /** Creates a person with an account of exactly these credits. The operator's choice of a password is not checked. */
  async create(tx, values, env) {
    const email = emailOf(values);
    const credits = creditsOf(values);
    if (credits < 0) throw new Refusal(`--credits ${credits} is below 0.`);
    const made = await createAccount(tx, {
      email,
      name: values.name ?? defined(email.split("@")[0]),
      passwordHash: await hashPassword(required(values, "password")),
    });
    const { accountId } = made;
    const posting = { accountId, credits, reference: "create", description: "Credits to start with" };
    if (credits > 0) await grantCredits(tx, posting);
    return { ...made, creditToken: await createCreditToken(tx, accountId, env.cell) };
  },

  async credit(tx, values) {
    const accountId = await accountOf(tx, values);
    const credits = creditsOf(values);
    if (credits === 0) throw new Refusal("--credits 0 changes nothing.");
    const posting = {
      accountId,
      credits,
      reference: `operator:${newUuid()}`,
      description: "Posted by the operator",
    };
    const { receiptId } = await adjustCredits(tx, posting);
    return { accountId, credits, receiptId };
  },

  /** Creates the link at which the person chooses a new password; the operator sends it to them. */
  async "reset-password"(tx, values, env) {
    const email = emailOf(values);
    const id = await createPasswordReset(tx, email, env);
    if (!id) throw new Refusal(`Nobody signs in as ${email}.`);
    return { link: linkTo("reset-password", id, env) };
  },

  /** Removes the second factor of a person who has lost it and its recovery codes; the password alone signs them in. */
  async "remove-second-factor"(tx, values) {
    const email = emailOf(values);
    if (!(await removeSecondFactor(tx, email)))
      throw new Refusal(`Nobody signs in as ${email} with a second factor.`);
    return { email };
  },

  /** Lets a person see the whole installation in the console. */
  "add-operator": (tx, values) => changeOperator(tx, values, true),
  "remove-operator": (tx, values) => changeOperator(tx, values, false),

  async token(tx, values, env) {
    const accountId = await accountOf(tx, values);
    const closed = await tx.select().from(closedAccounts).where(eq(closedAccounts.accountId, accountId));
    if (closed.length > 0) throw new Refusal(`The account ${accountId} was deleted.`);
    return { creditToken: await createCreditToken(tx, accountId, env.cell) };
  },
};

function secondsOf({ seconds = "60" }: Values): number {
  if (!/^[1-9]\d{0,3}$/.test(seconds))
    throw new Refusal(`--seconds ${seconds} is not a number of seconds from 1 to 9999.`);
  return Number(seconds);
}

function compareOf({ compare = "no" }: Values): boolean {
  if (compare !== "yes" && compare !== "no") throw new Refusal(`--compare ${compare} is neither yes nor no.`);
  return compare === "yes";
}

const peopleOf = ({ "same-people": people = "" }: Values) =>
  people.split(",").map((email) => email.trim().toLowerCase());

function addressOf(values: Values, name: "from" | "moved-to"): string {
  const url = required(values, name);
  if (!URL.canParse(url) || !/^postgres(ql)?:$/.test(new URL(url).protocol))
    throw new Refusal(`--${name} is not an address like postgres://user:password@host/database.`);
  return url;
}

/** Commands that need several transactions. */
const longCommands: Record<
  string,
  (database: Database, values: Values, env: Env, url: string) => CommandResult
> = {
  /** Stops all calls and all work of an account, and every change of its rows, until it is thawed. */
  async freeze({ db }, values) {
    const accountId = await accountOf(db, values);
    const seconds = secondsOf(values);
    try {
      return { accountId, frozenAt: await freezeAccount(db, accountId, { seconds }) };
    } catch (reason) {
      if (!(reason instanceof StillBusy)) throw reason;
      throw new Refusal(`The account ${accountId} is not frozen. ${reason.message}`);
    }
  },

  async thaw({ db, client }, values) {
    const accountId = await accountOf(db, values);
    if (await hasMoved(client, toUuid("account", accountId)))
      throw new Refusal(`The account ${accountId} has moved to another cell.`);
    if (!(await thawAccount(db, accountId))) throw new Refusal(`The account ${accountId} is not frozen.`);
    return { accountId };
  },

  /** Moves an account from another cell to this one. */
  async move(database, values, env, url) {
    const given = required(values, "account");
    const accountId = accountIdOf(given);
    if (!accountId) throw new Refusal(`No account ${given}.`);
    // Loaded late: only this command needs the list of all sealed columns.
    const { moveAccount } = await import("../move/move-account.ts");
    return moveAccount(database, url, env, {
      accountId,
      from: addressOf(values, "from"),
      route: required(values, "route"),
      seconds: secondsOf(values),
      compare: compareOf(values),
      samePeople: peopleOf(values),
    });
  },

  /** Prints the lines of a proxy's map that route the account's secrets to this cell. */
  async routes({ db, client }, values, env) {
    const accountId = await accountOf(db, values);
    return routesOf(client, toUuid("account", accountId), env.cell);
  },

  /** Deletes this cell's rows of an account that has moved to another. */
  async forget(database, values, _, url) {
    const accountId = await accountOf(database.db, values);
    const { forgetMoved } = await import("../move/forget-moved.ts");
    await forgetMoved(database, url, accountId, addressOf(values, "moved-to"));
    return { accountId };
  },
};

function read(args: string[]) {
  const text = { type: "string" } as const;
  try {
    const options = Object.fromEntries(OPTIONS.map((name) => [name, text]));
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    const name = positionals.length === 1 ? defined(positionals[0]) : "";
    const command = commands[name];
    const long = longCommands[name];
    if (command) return ({ db }: Database, env: Env) => db.transaction((tx) => command(tx, values, env));
    if (long) return (database: Database, env: Env, url: string) => long(database, values, env, url);
  } catch (error) {
    throw new Refusal(`${messageOf(error)}\n${usage}`);
  }
  throw new Refusal(usage);
}

try {
  const run = read(process.argv.slice(2));
  const made = await withDatabase(run);
  console.log(Array.isArray(made) ? made.join("\n") : JSON.stringify(made));
} catch (error) {
  sayFailure(error);
}
