import { withDatabase } from "../server/boot/with-database.ts";

// `node age-proof.ts EMAIL`: makes a person's last proof of identity an hour old, as if they had signed in then.
await withDatabase(
  ({ client }) => client`update sessions set proved_at = now() - interval '1 hour'
    where user_id = (select id from users where email = ${process.argv[2] ?? ""})`,
);
