-- What only people could call was registered too, from the installation's first start on. Forgotten here, each of these is
-- registered when it becomes an operation of the API, so that keys made before then do not reach it.
DELETE FROM "registrations" WHERE "selector" IN (
	'account.leave', 'account.read', 'account.update', 'agents.listTools', 'apiKeys.access.explain', 'apiKeys.access.read',
	'apiKeys.children.list', 'apiKeys.delegate', 'apiKeys.read', 'approvals.pending.read', 'approvals.read', 'apps.allow', 'apps.list',
	'apps.refuse', 'apps.requests.read', 'apps.revoke', 'auditEvents.read', 'credits.ledger.list', 'databases.transfers.list',
	'invitations.create', 'invitations.list', 'invitations.revoke', 'members.delete', 'members.list', 'members.read',
	'members.update', 'projects.restore', 'runs.retry', 'storage.read', 'trading.markets.list', 'trading.orders.cancel',
	'trading.prices.list', 'wallets.faucet', 'wallets.policy.simulate', 'webhookDeliveries.read', 'webhooks.missed.read',
	'webhooks.read', 'webhooks.recover', 'webhooks.signature.check', 'webhooks.test'
);
