#!/bin/sh
# Runs once, when the primary's data folder is created.
set -eu
psql -v ON_ERROR_STOP=1 -v password="$REPLICATION_PASSWORD" -U "$POSTGRES_USER" -d "$POSTGRES_DB" <<'SQL'
create role replicator login replication password :'password';
create extension pg_stat_statements;
-- Holds from the next start: the commits of the set-up have no standby to wait for.
alter system set synchronous_standby_names = 'standby';
SQL
echo "host replication replicator all scram-sha-256" >> "$PGDATA/pg_hba.conf"
