import { useSyncExternalStore } from 'react';
import type { EventClient } from '../events/event-client.ts';
import type { LocalePreference } from '../i18n/locale.ts';
import type { Ports } from '../ports/browser-ports.ts';
import type { SoundPreference } from '../preferences/sound.ts';
import type { ThemePreference } from '../preferences/theme.ts';
import type { PresenceSocket } from '../presence/presence-socket.ts';
import type { ProductClient } from '../product/product-client.ts';
import type { RequestKeys } from '../product/request-keys.ts';
import type { Session } from '../session/session.ts';
import type { User, UserContext } from '../session/user-context.ts';
import type { ReadableStore } from '../../../common/store.ts';
import { useStore } from '../../../ui/store/use-store.ts';
import { createArea } from './create-area.ts';

/** Returns the browser functions that the app uses. */
export const [PortsProvider, usePorts] = createArea<Ports>('ports');

/** The requests to the product. */
export interface ProductArea {
  readonly product: ProductClient;
  readonly requestKeys: RequestKeys;
  /** The base address of relative picture addresses. */
  readonly imageBase: string;
}

export const [ProductProvider, useProduct] = createArea<ProductArea>('product');

/** The user of the page and the session of that user. */
export interface SessionArea {
  readonly user: UserContext;
  readonly session: Session;
}

export const [SessionProvider, useSession] = createArea<SessionArea>('session');

/** The sockets of the user. */
export interface EventsArea {
  readonly events: EventClient;
  readonly presence: PresenceSocket;
}

export const [EventsProvider, useEvents] = createArea<EventsArea>('events');

/** The choices of the user that the device keeps. */
export interface PreferencesArea {
  readonly locale: LocalePreference;
  readonly theme: ThemePreference;
  readonly sound: SoundPreference;
}

export const [PreferencesProvider, usePreferences] = createArea<PreferencesArea>('preferences');

/** The time in milliseconds since the epoch, as stores that change once a second or once a minute. */
export interface TicksArea {
  readonly seconds: ReadableStore<number>;
  readonly minutes: ReadableStore<number>;
}

export const [TicksProvider, useTicks] = createArea<TicksArea>('ticks');

/** Returns whether the browser has a network, and renders the component again at each change. */
export function useIsOnline(): boolean {
  const { connectivity } = usePorts();
  return useSyncExternalStore(connectivity.subscribe, connectivity.isOnline, connectivity.isOnline);
}

/**
 * Returns the user when the page has a token, which is the only access check of the app (app-shell §6). Null without a
 * token.
 */
export function useSignedIn(): User | null {
  const { session, user } = useSession();
  const present = useStore(user.user);
  return session.token() === null ? null : present;
}
