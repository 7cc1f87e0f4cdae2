import type { Logger } from '../../../../core/ports/logger.ts';
import type { ReadableStore } from '../../../../core/store/store.ts';

export interface Fullscreen {
  readonly isOn: ReadableStore<boolean>;
  /** A refusal is logged as a warning and changes nothing else (app-shell §8). */
  toggle(): Promise<void>;
}

/** The slice of `document` that going fullscreen needs. The whole page goes, so that overlays stay above. */
export type FullscreenDocument = Pick<
  Document,
  'fullscreenElement' | 'exitFullscreen' | 'addEventListener' | 'removeEventListener'
> & { readonly documentElement: Pick<Element, 'requestFullscreen'> };

export function createFullscreen(page: FullscreenDocument, logger: Logger): Fullscreen {
  return {
    isOn: {
      get: () => page.fullscreenElement !== null && page.fullscreenElement !== undefined,
      subscribe(listener) {
        page.addEventListener('fullscreenchange', listener);
        return () => page.removeEventListener('fullscreenchange', listener);
      },
    },
    async toggle() {
      try {
        if (page.fullscreenElement) await page.exitFullscreen();
        else await page.documentElement.requestFullscreen();
      } catch (error) {
        logger.warn('fullscreen was not toggled', error);
      }
    },
  };
}
