import { invalidType, invalidValue } from '../../protocol/errors.ts';
import { isEmpty } from './checks.ts';

/** A list of listeners by id. A listener with the same id is replaced (D15: string or number). */
export class ListenerList<Listener extends object> {
  readonly #listeners = new Map<string | number, Listener>();

  /**
   * Registers a listener.
   * @throws CallError `INVALID_PARAMETER_VALUE` or `INVALID_PARAMETER_TYPE` for `id` or `listener`.
   */
  add(id: string | number, listener: Listener): void {
    if (isEmpty(id)) throw invalidValue('id');
    if (typeof id !== 'string' && typeof id !== 'number') throw invalidType('id');
    if (isEmpty(listener)) throw invalidValue('listener');
    if (typeof listener !== 'object') throw invalidType('listener');
    this.#listeners.set(id, listener);
  }

  remove(id: string | number): void {
    this.#listeners.delete(id);
  }

  removeAll(): void {
    this.#listeners.clear();
  }

  /** Returns a copy, since a listener may add and remove others while it runs. */
  all(): Listener[] {
    return [...this.#listeners.values()];
  }
}
