import { WorldAround } from '../run/world-around.ts';
import type { Acted } from '../run/world.ts';

/** A promise that the library returned for an action. Times are milliseconds since the run began. */
export interface Promised {
  readonly device: string;
  readonly action: string;
  readonly atMs: number;
  /** Undefined until the promise settles. */
  readonly settledMs: number | undefined;
}

/** A world that records the promises which the library returns for actions, and when each of them settles. */
export class PromiseWorld extends WorldAround {
  readonly promises: Promised[] = [];

  override act(device: string, action: string, parameters: Readonly<Record<string, unknown>>): Acted | Promise<Acted> {
    const atMs = this.now;
    const acted = super.act(device, action, parameters);
    if (acted instanceof Promise) return acted.then((begun) => this.#recorded(begun, { device, action, atMs }));
    return this.#recorded(acted, { device, action, atMs });
  }

  #recorded(acted: Acted, asked: Pick<Promised, 'device' | 'action' | 'atMs'>): Acted {
    if (!acted.done) return acted;
    const at = this.promises.push({ ...asked, settledMs: undefined }) - 1;
    const settled = () => void (this.promises[at] = { ...asked, settledMs: this.now });
    acted.done.then(settled, settled);
    return acted;
  }
}
