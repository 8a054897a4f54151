import { ApiError } from "#server/operation/errors.ts";

/** zxcvbn's scale of 0 to 4: below 2, a password falls within a million guesses (common, leaked, repeated or spelled out). */
const LOWEST_SCORE = 2;
/** The characters that are judged: more only take longer, a third of a second for a kilobyte, while nobody else is served. */
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

/** Refuses a password that is guessed easily, also from what is known of the person; `field` is where it was entered. */
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
