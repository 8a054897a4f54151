/** Nothing: without one of its own, Next.js takes the platform's, which starts the platform. */
export function register(): void {}
