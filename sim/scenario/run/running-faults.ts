import type { Due } from './lateness.ts';

/** A fault that ends at its time. */
interface EndingFault extends Due {
  readonly what: string;
  readonly mend: () => void;
}

/** The faults that steps have injected and that can end: by name, or after a while. */
export class RunningFaults {
  readonly #named = new Map<string, () => void>();
  readonly #ending: EndingFault[] = [];

  /** Adds a fault that ends when a step clears its name. */
  addNamed(name: string, mend: () => void): void {
    this.#named.set(name, mend);
  }

  /** Adds a fault that ends at its time. */
  addEnding(fault: EndingFault): void {
    this.#ending.push(fault);
  }

  /** Ends the fault of this name. Returns whether there is one. */
  clear(name: string): boolean {
    const mend = this.#named.get(name);
    this.#named.delete(name);
    mend?.();
    return mend !== undefined;
  }

  /** Ends every fault that can end. */
  clearAll(): void {
    for (const mend of [...this.#named.values(), ...this.#ending.splice(0).map(({ mend: undo }) => undo)]) mend();
    this.#named.clear();
  }

  /** Returns the fault that ends next, if it ends by this moment. */
  nextBy(moment: number): EndingFault | undefined {
    const [next] = this.#ending.toSorted((a, b) => a.atMs - b.atMs);
    return next !== undefined && next.atMs <= moment ? next : undefined;
  }

  /** Ends a fault whose time is over. */
  end(fault: EndingFault): void {
    this.#ending.splice(this.#ending.indexOf(fault), 1);
    fault.mend();
  }
}
