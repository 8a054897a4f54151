import { withDatabase } from "../server/boot/with-database.ts";

// `node age-proof.ts EMAIL`: lets the last proof of a person be an hour old, as if they had signed in then.
await withDatabase(
  ({ client }) => client`update sessions set proved_at = now() - interval '1 hour'
    where user_id = (select id from users where email = ${process.argv[2] ?? ""})`,
);
