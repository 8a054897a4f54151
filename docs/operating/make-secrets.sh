#!/bin/sh
# Prints new secrets as settings: the platform's own, and a password for each given name.
set -eu
for name in AUTH_SECRET FINGERPRINT_SECRET SEALING_KEY VAULT_KEYS AUDIT_SIGNING_KEY ARCHIVE_SIGNING_KEY RECEIPT_SIGNING_KEY; do
  echo "$name=$(head -c 32 /dev/urandom | base64)"
done
# Only digits and letters, since addresses contain them, too.
for name in "$@"; do
  echo "$name=$(head -c 20 /dev/urandom | od -An -v -tx1 | tr -d ' \n')"
done
