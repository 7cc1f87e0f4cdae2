import type { FieldChange, SharedBudget, SharedList, SharedWindow } from './shared-state.ts';

type Content =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'fields'; readonly fields: ReadonlyMap<string, string> }
  | { readonly kind: 'bucket'; readonly left: number; readonly at: number }
  | { readonly kind: 'window'; readonly used: number }
  | ({ readonly kind: 'list' } & SharedList);

interface Kept {
  readonly content: Content;
  /** The time from which the key is absent. */
  readonly until: number;
}

/** A shorter wait is due to the rounding of fractions. Milliseconds. */
const ROUNDING = 1e-6;
/** Expired keys are looked for when there are this many more keys than after the last search. */
const KEYS_BETWEEN_SEARCHES = 1_000;

/** Keys with a life, in memory: the data of `SharedState`, without the way there. Expired keys are dropped. */
export class MemoryKeys {
  readonly #now: () => number;
  readonly #keys = new Map<string, Kept>();
  #searchAt = KEYS_BETWEEN_SEARCHES;

  constructor(now: () => number) {
    this.#now = now;
  }

  get(key: string): string | null {
    return this.#content(key, 'text')?.text ?? null;
  }

  set(key: string, text: string, lifeMs: number): void {
    this.#keep(key, { kind: 'text', text }, lifeMs);
  }

  setAbsent(key: string, text: string, lifeMs: number): string | null {
    const present = this.get(key);
    if (present === null) this.set(key, text, lifeMs);
    return present;
  }

  remove(key: string): void {
    this.#keys.delete(key);
  }

  /** Returns whether the key was there. */
  prolong(key: string, lifeMs: number): boolean {
    const kept = this.#alive(key);
    if (kept) this.#keep(key, kept.content, lifeMs);
    return kept !== undefined;
  }

  fields(key: string): ReadonlyMap<string, string> {
    return new Map(this.#content(key, 'fields')?.fields);
  }

  changeFields(key: string, { where, set = {}, remove = [], lifeMs }: FieldChange): boolean {
    const fields = new Map(this.fields(key));
    if (where && (fields.get(where.field) ?? null) !== where.is) return false;
    for (const [field, value] of Object.entries(set)) fields.set(field, value);
    for (const field of remove) fields.delete(field);
    if (fields.size === 0) this.#keys.delete(key);
    else this.#keep(key, { kind: 'fields', fields }, lifeMs);
    return true;
  }

  charge(key: string, { burst, perSecond }: SharedBudget, points: number): number {
    const at = this.#now();
    const bucket = this.#content(key, 'bucket') ?? { left: burst, at };
    const filled = Math.min(burst, bucket.left + (Math.max(0, at - bucket.at) / 1_000) * perSecond);
    const left = Math.max(-burst, filled - points);
    // A full bucket is an absent key.
    this.#keep(key, { kind: 'bucket', left, at }, ((burst - left) / perSecond) * 1_000);
    return Math.max(0, Math.ceil(((Math.min(1, burst) - left) / perSecond) * 1_000 - ROUNDING));
  }

  count(key: string, { most, lifeMs }: SharedWindow, points: number): number {
    const now = this.#now();
    const used = this.#content(key, 'window')?.used ?? 0;
    const leftMs = (this.#alive(key)?.until ?? now + lifeMs) - now;
    if (used + points > most) return Math.max(1, Math.ceil(leftMs));
    if (used + points > 0) this.#keep(key, { kind: 'window', used: used + points }, leftMs);
    else this.#keys.delete(key);
    return 0;
  }

  append(key: string, entries: readonly string[], most: number, lifeMs: number): number {
    const list = this.list(key);
    const last = list.last + entries.length;
    const kept = [...list.entries, ...entries].slice(-most);
    if (last > 0) this.#keep(key, { kind: 'list', last, entries: kept }, lifeMs);
    return last;
  }

  list(key: string): SharedList {
    const { last, entries } = this.#content(key, 'list') ?? { last: 0, entries: [] };
    return { last, entries };
  }

  /** Deletes all keys. */
  clear(): void {
    this.#keys.clear();
  }

  /** The keys that are there. */
  get names(): string[] {
    return [...this.#keys.keys()].filter((key) => this.#alive(key) !== undefined);
  }

  /** The number of kept keys, expired ones included. */
  get size(): number {
    return this.#keys.size;
  }

  #alive(key: string): Kept | undefined {
    const kept = this.#keys.get(key);
    if (!kept || kept.until > this.#now()) return kept;
    this.#keys.delete(key);
    return undefined;
  }

  #content<Kind extends Content['kind']>(key: string, kind: Kind): Extract<Content, { kind: Kind }> | undefined {
    const content = this.#alive(key)?.content;
    if (!content) return undefined;
    if (!isOf(content, kind)) throw new TypeError(`the key ${key} holds ${content.kind}, not ${kind}`);
    return content;
  }

  #keep(key: string, content: Content, lifeMs: number): void {
    this.#keys.set(key, { content, until: this.#now() + Math.max(1, Math.ceil(lifeMs)) });
    if (this.#keys.size < this.#searchAt) return;
    for (const other of [...this.#keys.keys()]) this.#alive(other);
    this.#searchAt = this.#keys.size + KEYS_BETWEEN_SEARCHES;
  }
}

function isOf<Kind extends Content['kind']>(content: Content, kind: Kind): content is Extract<Content, { kind: Kind }> {
  return content.kind === kind;
}
