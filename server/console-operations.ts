import { listAgentTools } from "#server/agents/list-agent-tools.ts";
import { readApprovalMails, updateApprovalMails } from "#server/approvals/approval-mails.ts";
import { readChanges } from "#server/approvals/read-changes.ts";
import { readPendingApprovals } from "#server/approvals/read-pending-approvals.ts";
import { readAuditEvent } from "#server/audit/read-audit-event.ts";
import { listTransfers } from "#server/databases/transfers/list-transfers.ts";
import { listEndUsers } from "#server/end-users/list-end-users.ts";
import { readEndUser } from "#server/end-users/read-end-user.ts";
import { readInstallation } from "#server/health/read-installation.ts";
import { delegateApiKey } from "#server/keys/delegate-api-key.ts";
import { explainKeyAccess } from "#server/keys/explain-key-access.ts";
import { listChildKeys } from "#server/keys/list-child-keys.ts";
import { listKeyCalls } from "#server/keys/list-key-calls.ts";
import { listUsedLimits } from "#server/keys/list-used-limits.ts";
import { readKeyAccess } from "#server/keys/read-key-access.ts";
import { createInvitation } from "#server/members/create-invitation.ts";
import { deleteAccount } from "#server/members/delete-account.ts";
import { leaveAccount } from "#server/members/leave-account.ts";
import { listInvitations } from "#server/members/list-invitations.ts";
import { listMembers } from "#server/members/list-members.ts";
import { readAccount } from "#server/members/read-account.ts";
import { readMember } from "#server/members/read-member.ts";
import { removeMember } from "#server/members/remove-member.ts";
import { revokeInvitation } from "#server/members/revoke-invitation.ts";
import { updateAccount } from "#server/members/update-account.ts";
import { updateMember } from "#server/members/update-member.ts";
import { listAllMemories } from "#server/memory/list-all-memories.ts";
import { readMemory } from "#server/memory/read-memory.ts";
import { allowApp } from "#server/oauth/allow-app.ts";
import { listApps } from "#server/oauth/list-apps.ts";
import { readAppRequest } from "#server/oauth/read-app-request.ts";
import { readDeviceRequest } from "#server/oauth/read-device-request.ts";
import { refuseApp } from "#server/oauth/refuse-app.ts";
import { revokeApp } from "#server/oauth/revoke-app.ts";
import { readStep } from "#server/runs/read-step.ts";
import { listFound } from "#server/search/list-found.ts";
import { readStorage } from "#server/storage/read-storage.ts";
import { listAllTriggers } from "#server/triggers/list-all-triggers.ts";
import { previewTimes } from "#server/triggers/preview-times.ts";
import { readCalendar } from "#server/triggers/read-calendar.ts";
import { readOneTrigger } from "#server/triggers/read-trigger.ts";
import { listActivity } from "#server/wallets/activity/list-activity.ts";
import { createContact } from "#server/wallets/contacts/create-contact.ts";
import { deleteContact } from "#server/wallets/contacts/delete-contact.ts";
import { listAddressNames } from "#server/wallets/contacts/list-address-names.ts";
import { listContacts } from "#server/wallets/contacts/list-contacts.ts";
import { readContact } from "#server/wallets/contacts/read-contact.ts";
import { updateContact } from "#server/wallets/contacts/update-contact.ts";
import { fundWallet } from "#server/wallets/faucet/fund-wallet.ts";
import { readImpact } from "#server/wallets/impact/read-impact.ts";
import { listContracts } from "#server/wallets/policy/list-contracts.ts";
import { checkSignature } from "#server/webhooks/check-signature.ts";
import { listAllWorkflows } from "#server/workflows/stored/list-all-workflows.ts";
import { readWorkflow } from "#server/workflows/stored/read-workflow.ts";
import { readWorkflowVersion } from "#server/workflows/stored/read-workflow-version.ts";

/** The operations that only the console offers, one line each. */
export const consoleOperations = [
  readAuditEvent,
  listChildKeys,
  readKeyAccess,
  explainKeyAccess,
  delegateApiKey,
  listApps,
  revokeApp,
  readAppRequest,
  readDeviceRequest,
  allowApp,
  refuseApp,
  listTransfers,
  fundWallet,
  listActivity,
  listContacts,
  createContact,
  readContact,
  updateContact,
  deleteContact,
  listAddressNames,
  listContracts,
  listAgentTools,
  checkSignature,
  readPendingApprovals,
  readApprovalMails,
  updateApprovalMails,
  readImpact,
  readChanges,
  readAccount,
  updateAccount,
  leaveAccount,
  deleteAccount,
  listMembers,
  readMember,
  updateMember,
  removeMember,
  listInvitations,
  createInvitation,
  revokeInvitation,
  readStorage,
  listEndUsers,
  readEndUser,
  listAllMemories,
  readMemory,
  listFound,
  listUsedLimits,
  listKeyCalls,
  readStep,
  listAllTriggers,
  readOneTrigger,
  previewTimes,
  readCalendar,
  listAllWorkflows,
  readWorkflow,
  readWorkflowVersion,
  readInstallation,
] as const;
