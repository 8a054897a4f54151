import type { Scope } from "./scopes.ts";

export const PRIVACY_TIERS = ["standard", "private", "strict"] as const;
export type PrivacyTier = (typeof PRIVACY_TIERS)[number];

/** The project that the caller is bound to, or has selected. */
export interface SelectedProject {
  id: string;
  status: "active" | "archived";
  /** Whether the caller's key is bound to it; otherwise `X-Service-Project` selected it. */
  bound: boolean;
}

/** The end user that the caller is bound to, or acts for. */
export interface SelectedEndUser {
  /** Null while the platform has not seen this end user yet. */
  id: string | null;
  externalId: string;
  bound: boolean;
}

interface CallerFields {
  accountId: string;
  /** `key_…`, `mbr_…`, `ct_…` or `system`. */
  id: string;
  label: string;
  scopes: readonly Scope[];
  project: SelectedProject | null;
  endUser: SelectedEndUser | null;
  privacyTier: PrivacyTier;
}

/** A bearer key. */
export interface KeyCaller extends CallerFields {
  type: "key";
  /** The key, its parent, … up to its root. */
  chain: readonly string[];
  depth: number;
  /** Whether it called with an access token of an app. */
  isApp?: boolean;
  /** The key's own boundary; an ancestor's applies too. */
  allowedServices: readonly string[] | null;
}

export const ROLES = ["owner", "admin", "developer", "approver", "viewer"] as const;
export type Role = (typeof ROLES)[number];

/** A person signed in to the console, as a member of one account. */
export interface MemberCaller extends CallerFields {
  type: "member";
  userId: string;
  /** Null where a run acts for the member, who may have signed out. */
  sessionId: string | null;
  role: Role;
}

/** The platform itself: schedules, recovery, operators' scripts. */
export interface SystemCaller extends CallerFields {
  type: "system";
  /** Set where a credit token stands for the caller: `POST /api-keys` only. */
  creditTokenId: string | null;
}

export type Caller = KeyCaller | MemberCaller | SystemCaller;
