/**
 * Whether this client sends one kind of media, and its report to the exchange. One report is under way at a time, so
 * that two changes cannot overtake each other. A state that the exchange knows is not reported (RM-25).
 */
export class SwitchReport {
  readonly #send: (isOn: boolean) => Promise<unknown>;
  #isOn: boolean;
  #known: boolean;
  #isSending = false;
  #isOver = false;

  /**
   * @param isOn - the state that the exchange knows.
   * @param send - reports a state. A rejected report is repeated by {@link again}.
   */
  constructor(isOn: boolean, send: (isOn: boolean) => Promise<unknown>) {
    this.#isOn = isOn;
    this.#known = isOn;
    this.#send = send;
  }

  get isOn(): boolean {
    return this.#isOn;
  }

  set(isOn: boolean): void {
    this.#isOn = isOn;
    void this.again();
  }

  /** Reports the present state, unless the exchange knows it. */
  async again(): Promise<void> {
    if (this.#isSending) return;
    this.#isSending = true;
    try {
      while (!this.#isOver && this.#known !== this.#isOn) {
        const isOn = this.#isOn;
        await this.#send(isOn);
        this.#known = isOn;
      }
    } catch {
      // The sender has logged it. The next keep-alive repeats the report.
    } finally {
      this.#isSending = false;
    }
  }

  /** Ends the reports with the stay. */
  close(): void {
    this.#isOver = true;
  }
}
