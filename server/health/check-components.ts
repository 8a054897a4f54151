import { platform } from "#server/platform.ts";
import { checkOf } from "./check.ts";

/** Whether the database answers, which every call needs. */
export const checkDatabase = checkOf({
  name: "database",
  title: () => "The platform's database (DATABASE_URL)",
  ask: () => platform().database.probe`select 1`,
});

/** Whether bytes could be stored, which calls for files, artifacts and archives need. */
export const checkBlobs = checkOf({
  name: "blobs",
  title: () => platform().blobs.title,
  ask: () => platform().blobs.check(),
});
