import type { KeyValueStore } from '../../core/ports/key-value-store.ts';
import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import { withData } from '../../ui/data/with-data.tsx';

const RELOADED = 'ringback_reloaded';

interface Page {
  readonly storage: Pick<KeyValueStore, 'getItem' | 'setItem' | 'removeItem'>;
  isOnline(): boolean;
  reload(): void;
}

/**
 * Loads the code of a screen. After a deployment the files of an open page no longer exist. The page is then reloaded
 * once. A second failure, or one without a network, rejects.
 */
export async function loadScreen<T>(load: () => Promise<T>, page: Page = browserPage): Promise<T> {
  try {
    const screen = await load();
    page.storage.removeItem(RELOADED);
    return screen;
  } catch (error) {
    if (!page.isOnline() || page.storage.getItem(RELOADED) !== null) throw error;
    page.storage.setItem(RELOADED, 'yes');
    page.reload();
    // The page reloads, and shows the loading state until then.
    return new Promise<T>(() => {});
  }
}

const browserPage: Page = {
  get storage() {
    return sessionStorage;
  },
  isOnline: () => navigator.onLine,
  reload: () => location.reload(),
};

/** The properties that the shell passes to every screen. */
export interface ScreenProps {
  /** Opens the online-presence socket (app-shell §2). */
  openPresence(): void;
}

export type LazyScreen = LazyExoticComponent<ComponentType<ScreenProps>>;
type LoadScreen = () => Promise<{ default: ComponentType<ScreenProps> }>;

/** Loads the code of a screen that needs no sign-in. */
export function visitorScreen(load: LoadScreen): LazyScreen {
  return lazy(() => loadScreen(load));
}

/** Loads the code of a screen for signed-in users, with the cache of the server's data around it. */
export function userScreen(load: LoadScreen): LazyScreen {
  return lazy(() => loadScreen(async () => ({ default: await withData(async () => (await load()).default) })));
}
