import type { KeyValueStore } from '../../core/ports/key-value-store.ts';

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
