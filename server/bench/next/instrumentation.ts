/** Deliberately empty: without it, Next.js would use the platform's instrumentation, which starts the platform. */
export function register(): void {}
