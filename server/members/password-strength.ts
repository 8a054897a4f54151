import { ApiError } from "#server/operation/errors.ts";

/**
 * On zxcvbn's scale of 0 to 4. A password below 2 is found within a million guesses (common, leaked, repeated or
 * spelled out).
 */
const LOWEST_SCORE = 2;
/** The number of characters that are judged: a kilobyte would block the process for a third of a second. */
const JUDGED = 32;

type Judge = Awaited<ReturnType<typeof loadJudge>>;
let judge: Promise<Judge> | undefined;

async function loadJudge() {
  const [{ ZxcvbnFactory }, { dictionary, adjacencyGraphs }] = await Promise.all([
    import("@zxcvbn-ts/core"),
    import("@zxcvbn-ts/language-common"),
  ]);
  return new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, maxLength: JUDGED });
}

/** Refuses a password that is easy to guess, also from facts `known` about the person; `field` names the form field. */
export async function refuseGuessable(
  password: string,
  field: "password" | "newPassword",
  known: string[],
): Promise<void> {
  judge ??= loadJudge();
  if ((await judge).check(password, known).score >= LOWEST_SCORE) return;
  throw new ApiError("invalid_request", "The password is easy to guess.", {
    issues: [
      {
        path: `body.${field}`,
        message:
          "It is among the first that are tried: a common password, one word repeated, or your own name. Choose a few unrelated words.",
      },
    ],
  });
}
