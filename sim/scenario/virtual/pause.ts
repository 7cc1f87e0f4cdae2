/** The pause of a process: what arrives waits, in its order, until the process goes on. */
export class Pause {
  readonly #waiting: (() => void)[] = [];
  #isPaused = false;

  get isPaused(): boolean {
    return this.#isPaused;
  }

  begin(): void {
    this.#isPaused = true;
  }

  /** Runs what arrived meanwhile. */
  end(): void {
    this.#isPaused = false;
    while (!this.#isPaused) {
      const run = this.#waiting.shift();
      if (!run) return;
      run();
    }
  }

  /** Forgets what arrived: the process has ended. */
  drop(): void {
    this.#isPaused = false;
    this.#waiting.length = 0;
  }

  /** Runs now, or at the end of the pause. */
  pass(run: () => void): void {
    if (this.#isPaused) this.#waiting.push(run);
    else run();
  }
}
