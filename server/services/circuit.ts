/** Failures in a row after which a service gets a rest. */
const FAILURES = 5;
const FIRST_REST_MS = 2000;
const LONGEST_REST_MS = 60_000;

/**
 * Keeps a process from calling a service that fails again and again. After five failures in a row it is open for two
 * seconds; then one call tries, and closes it or opens it for twice as long, a minute at most. Each process judges by
 * its own calls: what fails may be its own way there, and asking the database before every call would cost more than
 * the few calls that another process learns from.
 */
export class Circuit {
  #failures = 0;
  #openUntil = 0;
  #restMs = FIRST_REST_MS;
  #trying = false;

  /** Whether the service failed as often as that, and has not been seen to work since. */
  get open(): boolean {
    return this.#failures >= FAILURES;
  }

  /** Lets a call pass, which must report how it ended; or answers how many seconds there is to wait. */
  enter(): ((failed: boolean) => void) | number {
    if (!this.open) return (failed) => this.#end(failed, false);
    const wait = this.#openUntil - Date.now();
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
    // What was under way when it opened says nothing new.
    if (!this.open || (wasOpen && !tried)) return;
    this.#openUntil = Date.now() + this.#restMs;
    this.#restMs = Math.min(this.#restMs * 2, LONGEST_REST_MS);
  }
}
