import type { Scope } from "./scopes.ts";

export const PRIVACY_TIERS = ["standard", "private", "strict"] as const;
export type PrivacyTier = (typeof PRIVACY_TIERS)[number];

/** The project that the caller is bound to or has selected. */
export interface SelectedProject {
  id: string;
  status: "active" | "archived";
  /** True if the caller's key is bound to the project; false if `X-Service-Project` selected it. */
  bound: boolean;
}

/** The end user that the caller is bound to or acts for. */
export interface SelectedEndUser {
  /** Null if the platform has not stored this end user yet. */
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
  /** Ids of the key, its parent, and so on up to its root. */
  chain: readonly string[];
  depth: number;
  /** True if the call carries an app's access token. */
  isApp?: boolean;
  /** The services that this key itself may use; its ancestors' lists apply too. */
  allowedServices: readonly string[] | null;
}

export const ROLES = ["owner", "admin", "developer", "approver", "viewer"] as const;
export type Role = (typeof ROLES)[number];

/** A person signed in to the console, as a member of one account. */
export interface MemberCaller extends CallerFields {
  type: "member";
  userId: string;
  /** Null if a run acts for the member, who may have signed out since. */
  sessionId: string | null;
  role: Role;
}

/** The platform itself: schedules, recovery, operators' scripts. */
export interface SystemCaller extends CallerFields {
  type: "system";
  /** The credit token that authenticated the call (`POST /api-keys` only); otherwise null. */
  creditTokenId: string | null;
}

export type Caller = KeyCaller | MemberCaller | SystemCaller;
