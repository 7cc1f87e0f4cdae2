import type { Logger } from '../../../../core/ports/ports.ts';
import type { ReadableStore } from '../../../../../common/store.ts';

/** The fullscreen state of the page, and its control. */
export interface Fullscreen {
  readonly isOn: ReadableStore<boolean>;
  /** Enters or leaves fullscreen. A refusal of the browser is logged as a warning (app-shell §8). */
  toggle(): Promise<void>;
}

/** The part of `document` that fullscreen needs. The whole page is fullscreen, so that overlays stay above it. */
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
