#!/bin/sh
# Copies the primary if there is no data yet, and follows it. Leaves a promoted standby unchanged.
set -eu
copy="$PGDATA.copy"
if [ ! -e "$PGDATA/PG_VERSION" ]; then
  until pg_basebackup --dbname="host=postgres user=replicator application_name=standby" \
    --pgdata="$copy" --write-recovery-conf --checkpoint=fast; do
    rm -rf "$copy"
    sleep 1
  done
  rm -rf "$PGDATA"
  mv "$copy" "$PGDATA"
fi
exec "$@"
