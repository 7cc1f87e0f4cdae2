import type { Logger } from '../../../core/ports/ports.ts';
import type { ProductClient } from '../../../core/product/product-client.ts';
import type { Session } from '../../../core/session/session.ts';
import { type ReadableStore, createStore } from '../../../../common/store.ts';
import type { GenderType } from '../../../../protocol/product/values.ts';

export type LoginState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'signingIn'; readonly userId: string }
  | { readonly kind: 'failed' };

/** A sign-in as a demo user. A second attempt during the first one has no effect. */
export interface LoginAttempt {
  readonly state: ReadableStore<LoginState>;
  /** Resolves to the kind of the signed-in user, or to `null` when the sign-in failed. */
  signIn(userId: string): Promise<GenderType | null>;
}

interface Dependencies {
  product: Pick<ProductClient, 'ask'>;
  session: Pick<Session, 'signIn'>;
  logger: Logger;
  /** Opens the online-presence socket (app-shell §2). */
  openPresence(): void;
}

export function createLoginAttempt({ product, session, logger, openPresence }: Dependencies): LoginAttempt {
  const state = createStore<LoginState>({ kind: 'idle' });
  return {
    state,
    async signIn(userId) {
      if (state.get().kind === 'signingIn') return null;
      state.set({ kind: 'signingIn', userId });
      try {
        const answer = await product.ask('login', { body: { user_id: userId } });
        session.signIn(answer);
        openPresence();
        state.set({ kind: 'idle' });
        return answer.gender_type;
      } catch (error) {
        logger.error('the sign-in failed', error);
        state.set({ kind: 'failed' });
        return null;
      }
    },
  };
}
