import { and, eq, gt, isNull } from "drizzle-orm";
import { z } from "zod";
import { oauthRequests } from "#db/schema/oauth.ts";
import { secretHash } from "#server/keys/secrets.ts";
import { ApiError } from "#server/operation/errors.ts";
import { operation } from "#server/operation/operation.ts";
import { returnTry, takeTry } from "#server/operation/throttle.ts";
import { lettersOf } from "./device.ts";
import { askerOf } from "./requests.ts";
import { DeviceRequest, UserCode } from "./schema.ts";

export const readDeviceRequest = operation({
  id: "apps.devices.read",
  method: "POST",
  path: "/device-requests/read",
  summary: "Read the program that shows a device code",
  description:
    "Returns the program while its request is open. After five wrong codes, each further attempt has to wait.",
  scope: null,
  people: "members",
  surfaces: ["console"],
  body: UserCode,
  output: z.object({ request: DeviceRequest }),
  errors: ["not_found"],

  async handler({ body, caller, db, request: { at } }) {
    const person = caller.type === "member" ? caller.userId : caller.id;
    await takeTry("userCode", person);
    const letters = lettersOf(body.userCode);
    const open = and(
      eq(oauthRequests.userCodeHash, secretHash(letters)),
      isNull(oauthRequests.decidedAt),
      gt(oauthRequests.expiresAt, at),
    );
    const [row] = await db.select().from(oauthRequests).where(open);
    if (!row)
      throw new ApiError(
        "not_found",
        "No program waits with this code. Compare it with the one that is shown; a code is good for 15 minutes, once.",
      );
    await returnTry("userCode", person);
    return {
      request: {
        id: row.id,
        app: { ...row.app, verified: row.app.host !== null },
        userCode: `${letters.slice(0, 4)}-${letters.slice(4)}`,
        ...askerOf(row),
      },
    };
  },
});
