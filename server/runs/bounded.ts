import { ApiError } from "#server/operation/errors.ts";

/** Waits for work until the signal or the timeout, even if the work itself ignores them. */
export async function bounded<T>(
  outer: AbortSignal,
  timeoutSeconds: number | undefined,
  name: string,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const timeout =
    timeoutSeconds === undefined ? undefined : AbortSignal.timeout(Math.ceil(timeoutSeconds * 1000));
  const signal = timeout ? AbortSignal.any([outer, timeout]) : outer;
  const left = Promise.withResolvers<never>();
  const leave = () =>
    left.reject(
      outer.aborted
        ? outer.reason
        : new ApiError("service_timeout", `${name} did not answer within ${timeoutSeconds} seconds.`),
    );
  signal.addEventListener("abort", leave, { once: true });
  try {
    return await Promise.race([work(signal), left.promise]);
  } finally {
    signal.removeEventListener("abort", leave);
  }
}
