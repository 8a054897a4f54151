/** Consecutive failures after which calls to a service are paused. */
const FAILURES = 5;
const FIRST_REST_MS = 2000;
const LONGEST_REST_MS = 60_000;

/**
 * Keeps a process from calling a service that keeps failing. After five consecutive failures the circuit is open for
 * two seconds; then one trial call closes it, or opens it for twice as long, up to a minute. Each process decides by
 * its own calls: the cause may be its own network, and asking the database before every call would cost more than the
 * few failing calls.
 */
export class Circuit {
  #failures = 0;
  #openUntil = 0;
  #restMs = FIRST_REST_MS;
  #trying = false;

  /** True if the circuit has opened and no call has succeeded since. */
  get open(): boolean {
    return this.#failures >= FAILURES;
  }

  /** Admits a call, and returns the function that must report its result; or returns the seconds to wait. */
  enter(): ((failed: boolean) => void) | number {
    if (!this.open) return (failed) => this.#end(failed, false);
    const wait = this.#openUntil - performance.now();
    if (wait > 0 || this.#trying) return Math.max(1, Math.ceil(wait / 1000));
    this.#trying = true;
    return (failed) => this.#end(failed, true);
  }

  #end(failed: boolean, tried: boolean): void {
    if (tried) this.#trying = false;
    if (!failed) {
      this.#failures = 0;
      this.#restMs = FIRST_REST_MS;
      return;
    }
    const wasOpen = this.open;
    this.#failures += 1;
    // Calls that were in progress when it opened bring no new information.
    if (!this.open || (wasOpen && !tried)) return;
    this.#openUntil = performance.now() + this.#restMs;
    this.#restMs = Math.min(this.#restMs * 2, LONGEST_REST_MS);
  }
}
