import { Listeners } from './listeners.ts';
import type { NodeName, SharedTable } from './node-link.ts';
import type { Row } from './wire.ts';

/** The entries of one table, by key and node. */
class Table implements SharedTable {
  readonly #changed: (row: Row) => void;
  readonly #name: string;
  readonly #listeners: Listeners<[key: string, node: NodeName]>;
  readonly #own = new Map<string, string>();
  readonly #elsewhere = new Map<string, Map<NodeName, string>>();

  constructor(name: string, changed: (row: Row) => void, failed: (error: unknown) => void) {
    this.#name = name;
    this.#changed = changed;
    this.#listeners = new Listeners(failed);
  }

  get rows(): Row[] {
    return [...this.#own].map(([key, value]): Row => [this.#name, key, value]);
  }

  set(key: string, value: string | null): void {
    if ((this.#own.get(key) ?? null) === value) return;
    if (value === null) this.#own.delete(key);
    else this.#own.set(key, value);
    this.#changed([this.#name, key, value]);
  }

  elsewhere(key: string): ReadonlyMap<NodeName, string> {
    return this.#elsewhere.get(key) ?? NONE;
  }

  keysElsewhere(): Iterable<string> {
    return this.#elsewhere.keys();
  }

  onChange(listener: (key: string, node: NodeName) => void): () => void {
    return this.#listeners.add(listener);
  }

  /** Sets an entry of another node. Null removes it. */
  apply(node: NodeName, key: string, value: string | null): void {
    const entries = this.#elsewhere.get(key);
    if ((entries?.get(node) ?? null) === value) return;
    const others = [...(entries ?? [])].filter(([other]) => other !== node);
    const now = value === null ? others : [...others, [node, value] as const];
    if (now.length === 0) this.#elsewhere.delete(key);
    else this.#elsewhere.set(key, new Map(now.toSorted(([one], [other]) => (one < other ? -1 : 1))));
    this.#listeners.call(key, node);
  }

  /** Returns the keys with an entry of this node. */
  keysOf(node: NodeName): string[] {
    return [...this.#elsewhere].flatMap(([key, entries]) => (entries.has(node) ? [key] : []));
  }
}

const NONE: ReadonlyMap<NodeName, string> = new Map();

/** The tables of a node: its own entries, and its copy of those of the other nodes. */
export class Tables {
  readonly #byName = new Map<string, Table>();
  readonly #changed: (row: Row) => void;
  readonly #failed: (error: unknown) => void;

  /**
   * @param changed - receives each change of an own entry.
   * @param failed - receives the error of a listener.
   */
  constructor(changed: (row: Row) => void, failed: (error: unknown) => void) {
    this.#changed = changed;
    this.#failed = failed;
  }

  of(name: string): SharedTable {
    return this.#of(name);
  }

  /** The entries of this node in all tables. */
  get own(): Row[] {
    return [...this.#byName.values()].flatMap(({ rows }) => rows);
  }

  /** Applies changes of another node. */
  apply(node: NodeName, rows: readonly Row[]): void {
    for (const [name, key, value] of rows) this.#of(name).apply(node, key, value);
  }

  /** Replaces all entries of another node. */
  replace(node: NodeName, rows: readonly Row[]): void {
    const kept = new Set(rows.map(([name, key]) => JSON.stringify([name, key])));
    for (const [name, table] of this.#byName) {
      for (const key of table.keysOf(node)) {
        if (!kept.has(JSON.stringify([name, key]))) table.apply(node, key, null);
      }
    }
    this.apply(node, rows);
  }

  #of(name: string): Table {
    const table = this.#byName.get(name) ?? new Table(name, this.#changed, this.#failed);
    this.#byName.set(name, table);
    return table;
  }
}
