import { createArea } from '../../core/hooks/create-area.ts';
import type { DemoUser } from '../../../protocol/product/accounts.ts';
import type { Logger } from '../../core/ports/ports.ts';
import type { ProductClient } from '../../core/product/product-client.ts';
import { type ReadableStore, createStore } from '../../../common/store.ts';

export type DemoUsersState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'ready'; readonly users: readonly DemoUser[] }
  | { readonly kind: 'failed' };

/** The demo users that a visitor can sign in as. The list is requested when it is first needed. */
export interface DemoUsersStore {
  readonly state: ReadableStore<DemoUsersState>;
  load(): Promise<void>;
}

const LOADING: DemoUsersState = { kind: 'loading' };

export function createDemoUsersStore(product: Pick<ProductClient, 'ask'>, logger: Logger): DemoUsersStore {
  const state = createStore<DemoUsersState>(LOADING);
  let isLoading = false;

  async function load(): Promise<void> {
    if (isLoading || state.get().kind === 'ready') return;
    isLoading = true;
    state.set(LOADING);
    try {
      state.set({ kind: 'ready', users: (await product.ask('demoUsers', {})).users });
    } catch (error) {
      logger.error('the demo users did not load', error);
      state.set({ kind: 'failed' });
    } finally {
      isLoading = false;
    }
  }

  return {
    load,
    state: {
      get: state.get,
      subscribe(listener) {
        if (state.get().kind === 'loading') void load();
        return state.subscribe(listener);
      },
    },
  };
}

export const [DemoUsersProvider, useDemoUsers] = createArea<DemoUsersStore>('the demo users');
