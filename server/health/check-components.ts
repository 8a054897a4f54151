import { platform } from "#server/platform.ts";
import { checkOf } from "./check.ts";

/** Whether the database answers, which every call needs. */
export const checkDatabase = checkOf({
  name: "database",
  title: () => "The platform's database (DATABASE_URL)",
  ask() {
    // The pool that every call needs first; it does not wait behind slow handlers.
    const question = platform().database.admission`select 1`;
    return { answer: question, cancel: () => question.cancel() };
  },
});

/** Whether bytes could be stored, which calls for files, artifacts and archives need. */
export const checkBlobs = checkOf({
  name: "blobs",
  title: () => platform().blobs.title,
  ask: () => ({ answer: platform().blobs.check() }),
});
