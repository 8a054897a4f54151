import { sql } from "drizzle-orm";
import { boolean, index, integer, pgTable, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core";
import { accountId, bytes, createdAt, instant, typeId } from "../columns.ts";

/** A customer: what keys, things and credits belong to. */
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

/** A person with factors and sessions; may be a member of several accounts. */
export const users = pgTable(
  "users",
  {
    id: typeId("usr")().primaryKey(),
    email: text().notNull(),
    name: text().notNull(),
    /** argon2id, PHC string. */
    passwordHash: text().notNull(),
    /** The TOTP secret, sealed; null until a second factor is confirmed. */
    totpSecret: bytes(),
    /** A TOTP secret that was shown and not yet confirmed, sealed. */
    totpPending: bytes(),
    /** The last TOTP time step that was accepted: a code is good once (RFC 6238, 5.2). */
    totpLastStep: integer(),
    /** SHA-256 of the recovery codes that are still unused. */
    recoveryCodes: bytes().array().notNull().default(sql`'{}'`),
    createdAt: createdAt(),
  },
  (table) => [uniqueIndex("users_email").on(sql`lower(${table.email})`)],
);

/** A role of a user in an account. */
export const members = pgTable(
  "members",
  {
    accountId: accountId().references(() => accounts.id),
    id: typeId("mbr")().notNull(),
    userId: typeId("usr")()
      .notNull()
      .references(() => users.id),
    role: text({ enum: ["owner", "admin", "developer", "approver", "viewer"] }).notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    uniqueIndex("members_user").on(table.userId, table.accountId),
  ],
);

/** A sign-in. The browser holds a JWT that names it; a revoked row ends it at once. */
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
    /** When the person last proved their identity: at sign-in, or when asked again. */
    provedAt: instant().notNull().defaultNow(),
  },
  (table) => [index("sessions_user").on(table.userId)],
);

/** An invitation, by whose token the person with this e-mail address becomes a member of the account, once. */
export const invitations = pgTable(
  "invitations",
  {
    accountId: accountId().references(() => accounts.id),
    id: typeId("inv")().notNull(),
    /** As `Email` normalises it. */
    email: text().notNull(),
    role: text({ enum: ["owner", "admin", "developer", "approver", "viewer"] }).notNull(),
    /** SHA-256 of the token. */
    tokenHash: bytes().notNull(),
    /** The member who invites. */
    invitedBy: typeId("mbr")().notNull(),
    createdAt: createdAt(),
    expiresAt: instant().notNull(),
    acceptedAt: instant(),
    revokedAt: instant(),
    /** `none` where the link was handed over instead. */
    mail: text({ enum: ["none", "waiting", "sent", "failed"] }).notNull(),
    /** Why the mail has not gone out. */
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

/** A password reset: the holder of its token chooses a new password for the user, once. */
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
    /** When it was used, or a newer password made it void. */
    endedAt: instant(),
  },
  (table) => [
    uniqueIndex("password_resets_token").on(table.tokenHash),
    index("password_resets_user").on(table.userId),
  ],
);

/** Failed tries by subject (an e-mail address or a network address, hashed), for throttling sign-in. */
export const signInAttempts = pgTable("sign_in_attempts", {
  subject: bytes().primaryKey(),
  failures: integer().notNull(),
  /** Up to when failures have been forgotten, which they are at a steady pace. */
  forgottenUntil: instant().notNull(),
  blockedUntil: instant().notNull(),
});

/** Somebody of the customer's own, named by the header `X-Service-End-User`. Their external id can be erased. */
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
    uniqueIndex("end_users_external_id").on(table.accountId, table.externalId),
  ],
);
