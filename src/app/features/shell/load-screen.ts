import type { KeyValueStore } from '../../core/ports/key-value-store.ts';

const RELOADED = 'ringback_reloaded';

interface Page {
  readonly storage: Pick<KeyValueStore, 'getItem' | 'setItem' | 'removeItem'>;
  isOnline(): boolean;
  reload(): void;
}

/**
 * Loads the code of a screen. After a deployment an open page asks for files that are gone: then the page is loaded anew,
 * once. A second failure, or one without a network, is an error like any other.
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
    // The page is going: until then it goes on loading.
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
