import { sql } from "drizzle-orm";
import { boolean, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core";
import { accountId, bytes, createdAt, idEndIndex, instant, searchIndexes, typeId } from "../columns.ts";

/** A customer: the owner of keys, resources and credits. */
export const accounts = pgTable("accounts", {
  id: typeId("acct")().primaryKey(),
  name: text().notNull(),
  requireSecondFactor: boolean().notNull().default(false),
  /** Which members may connect apps. */
  appConnectors: text({ enum: ["everyone", "admins", "nobody"] })
    .notNull()
    .default("everyone"),
  createdAt: createdAt(),
});

/** The accounts that are frozen: calls to them are refused and no worker claims their work. */
export const frozenAccounts = pgTable("frozen_accounts", {
  accountId: accountId().primaryKey(),
  frozenAt: instant().notNull().defaultNow(),
  /** True once everything under way has ended: from then on the trigger `refuse_frozen` refuses every write. */
  fenced: boolean().notNull().default(false),
  /** The block of each network up to which deposits had been searched; after the thaw, the search continues there. */
  searchedTo: jsonb().$type<Record<string, number>>().notNull(),
});

/** The accounts that an owner has deleted: nobody has access, and their data is erased. */
export const closedAccounts = pgTable("closed_accounts", {
  accountId: accountId().primaryKey(),
  closedAt: instant().notNull().defaultNow(),
  /** When everything that is not kept had been erased. */
  erasedAt: instant(),
});

/** A person with password and sessions; may be a member of several accounts. */
export const users = pgTable(
  "users",
  {
    id: typeId("usr")().primaryKey(),
    email: text().notNull(),
    name: text().notNull(),
    /** An argon2id hash as a PHC string. */
    passwordHash: text().notNull(),
    /** The TOTP secret, sealed; null until a second factor is confirmed. */
    totpSecret: bytes(),
    /** A TOTP secret that was shown to the person and is not confirmed yet, sealed. */
    totpPending: bytes(),
    /** The last accepted TOTP time step: each code is accepted once (RFC 6238, 5.2). */
    totpLastStep: integer(),
    /** SHA-256 of the unused recovery codes. */
    recoveryCodes: bytes().array().notNull().default(sql`'{}'`),
    /** True if the person may see the whole installation; set by `npm run account`. */
    isOperator: boolean().notNull().default(false),
    createdAt: createdAt(),
  },
  (table) => [uniqueIndex("users_email").on(sql`lower(${table.email})`)],
);

/** A user's membership in an account, with their role. */
export const members = pgTable(
  "members",
  {
    accountId: accountId().references(() => accounts.id),
    id: typeId("mbr")().notNull(),
    userId: typeId("usr")()
      .notNull()
      .references(() => users.id),
    role: text({ enum: ["owner", "admin", "developer", "approver", "viewer"] }).notNull(),
    /** True if the person is mailed about pending approvals of this account that they may decide. */
    approvalMails: boolean().notNull().default(true),
    /** When the last such mail was sent. */
    approvalsMailedAt: instant(),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    uniqueIndex("members_user").on(table.userId, table.accountId),
  ],
);

/**
 * A session of a signed-in user. The browser holds a JWT with the session's id; revoking the row ends the session at
 * once.
 */
export const sessions = pgTable(
  "sessions",
  {
    id: typeId("ses")().primaryKey(),
    userId: typeId("usr")()
      .notNull()
      .references(() => users.id),
    userAgent: text(),
    ip: text(),
    createdAt: createdAt(),
    lastSeenAt: instant().notNull(),
    expiresAt: instant().notNull(),
    revokedAt: instant(),
    /** When the person last proved their identity, at sign-in or when asked again. */
    provedAt: instant().notNull().defaultNow(),
  },
  (table) => [index("sessions_user").on(table.userId)],
);

/** An invitation to an account. The person with this e-mail address accepts it by its token, once. */
export const invitations = pgTable(
  "invitations",
  {
    accountId: accountId().references(() => accounts.id),
    id: typeId("inv")().notNull(),
    /** Normalised by the schema `Email`. */
    email: text().notNull(),
    role: text({ enum: ["owner", "admin", "developer", "approver", "viewer"] }).notNull(),
    /** SHA-256 of the token. */
    tokenHash: bytes().notNull(),
    /** The inviting member. */
    invitedBy: typeId("mbr")().notNull(),
    createdAt: createdAt(),
    expiresAt: instant().notNull(),
    acceptedAt: instant(),
    revokedAt: instant(),
    /** `none` if the link was handed over instead. */
    mail: text({ enum: ["none", "waiting", "sent", "failed"] }).notNull(),
    /** Why the mail was not sent. */
    mailError: text(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    uniqueIndex("invitations_token").on(table.tokenHash),
    uniqueIndex("invitations_pending")
      .on(table.accountId, table.email)
      .where(sql`accepted_at is null and revoked_at is null`),
  ],
);

/** A password reset: by its token the user chooses a new password, once. */
export const passwordResets = pgTable(
  "password_resets",
  {
    id: typeId("pwr")().primaryKey(),
    userId: typeId("usr")()
      .notNull()
      .references(() => users.id),
    /** SHA-256 of the token. */
    tokenHash: bytes().notNull(),
    createdAt: createdAt(),
    expiresAt: instant().notNull(),
    /** When the reset was used, or made void by a newer password. */
    endedAt: instant(),
  },
  (table) => [
    uniqueIndex("password_resets_token").on(table.tokenHash),
    index("password_resets_user").on(table.userId),
  ],
);

/** Failed attempts by target (a hashed e-mail or network address), for throttling sign-in. */
export const signInAttempts = pgTable("sign_in_attempts", {
  subject: bytes().primaryKey(),
  failures: integer().notNull(),
  /** The time up to which failures have been forgotten; they are forgotten at a steady rate. */
  forgottenUntil: instant().notNull(),
  blockedUntil: instant().notNull(),
});

/** A customer's own user, named by the header `X-Service-End-User`. Their external id can be erased. */
export const endUsers = pgTable(
  "end_users",
  {
    accountId: accountId(),
    id: typeId("eusr")().notNull(),
    externalId: text(),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    idEndIndex("end_users", table.accountId, table.id),
    ...searchIndexes("end_users_external_id", table.accountId, table.externalId),
    uniqueIndex("end_users_external_id").on(table.accountId, table.externalId),
  ],
);
