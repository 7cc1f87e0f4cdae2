import type { Person } from '../../protocol/product/people.ts';
import type { PresenceChanged } from '../../protocol/product/events.ts';
import type { Logger } from '../ports/logger.ts';
import type { ProductClient } from '../product/product-client.ts';
import { type ReadableStore, createStore } from '../store/store.ts';

export type PeopleState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'ready'; readonly people: readonly Person[] }
  | { readonly kind: 'failed' };

/** The other users and whether they are there. */
export interface PeopleStore {
  readonly state: ReadableStore<PeopleState>;
  /** Asks the server. People already shown stay while it answers, and when it does not. */
  load(): Promise<void>;
  /** Puts a change in place without moving anybody: nobody's finger should land on another person. */
  apply(change: PresenceChanged): void;
  find(userId: string): Person | undefined;
  clear(): void;
}

interface Dependencies {
  product: Pick<ProductClient, 'ask'>;
  token(): string | null;
  logger: Logger;
}

const LOADING: PeopleState = { kind: 'loading' };

export function createPeopleStore({ product, token, logger }: Dependencies): PeopleStore {
  const state = createStore<PeopleState>(LOADING);
  let newestLoad = 0;
  /** Changes told while the list is asked for, which may be older than they are; null while it is not. */
  let meanwhile: PresenceChanged[] | null = null;

  return {
    state,
    async load() {
      if (token() === null) return;
      const load = ++newestLoad;
      meanwhile = [];
      if (state.get().kind === 'failed') state.set(LOADING);
      try {
        const { users: people } = await product.ask('people', {});
        if (load !== newestLoad) return;
        const upToDate = (meanwhile ?? []).reduce(changed, people);
        meanwhile = null;
        state.update((current) => ({ kind: 'ready', people: inOrder(current, upToDate) }));
      } catch (error) {
        if (load !== newestLoad) return;
        meanwhile = null;
        logger.error('the list of people did not load', error);
        if (state.get().kind !== 'ready') state.set({ kind: 'failed' });
      }
    },
    apply(change) {
      meanwhile?.push(change);
      state.update((current) =>
        current.kind === 'ready' ? { kind: 'ready', people: changed(current.people, change) } : current,
      );
    },
    find(userId) {
      const current = state.get();
      return current.kind === 'ready' ? current.people.find((person) => person.u_id === userId) : undefined;
    },
    clear() {
      newestLoad += 1;
      state.set(LOADING);
    },
  };
}

function changed(people: readonly Person[], { u_id, presence, last_seen_at }: PresenceChanged): readonly Person[] {
  return people.map((person) => (person.u_id === u_id ? { ...person, presence, last_seen_at } : person));
}

const presenceRank = { online: 0, in_call: 1, offline: 2 } as const;

/** Who is there comes first; a reload keeps the order that is already on the screen. */
function inOrder(current: PeopleState, people: readonly Person[]): readonly Person[] {
  const place = new Map(current.kind === 'ready' ? current.people.map((person, index) => [person.u_id, index]) : []);
  return people.toSorted((a, b) => {
    const kept = (place.get(a.u_id) ?? Infinity) - (place.get(b.u_id) ?? Infinity);
    if (kept !== 0 && !Number.isNaN(kept)) return kept;
    return presenceRank[a.presence] - presenceRank[b.presence] || (b.last_seen_at ?? 0) - (a.last_seen_at ?? 0);
  });
}
