import { useEffect, useState } from 'react';
import type { Logger } from '../../../../core/ports/ports.ts';

interface FloatingWindow {
  readonly host: Window;
  /** The stream of the stage, shown in the window, too. */
  readonly stream: MediaProvider | null;
}

export interface Floating {
  /** The open window. Null without one. */
  readonly opened: FloatingWindow | null;
  /**
   * Opens the window, or the browser's picture-in-picture of the video. Calls `otherwise` if the browser supports
   * neither.
   */
  open(video: HTMLVideoElement | null): Promise<void>;
}

/** Returns the floating window of a call. It closes when the component unmounts. */
export function useFloating(logger: Logger, otherwise: () => void): Floating {
  const [opened, setOpened] = useState<FloatingWindow | null>(null);
  useEffect(() => () => opened?.host.close(), [opened]);

  async function open(video: HTMLVideoElement | null): Promise<void> {
    try {
      const host = await openFloatingWindow(window);
      if (host !== undefined) {
        host.addEventListener('pagehide', () => setOpened(null));
        setOpened({ host, stream: video?.srcObject ?? null });
      } else if (video !== null && document.pictureInPictureEnabled) {
        await video.requestPictureInPicture();
      } else otherwise();
    } catch (error) {
      logger.warn('the call did not open in a floating window', error);
      otherwise();
    }
  }

  return { opened, open };
}

interface FloatingWindows {
  requestWindow(options: { width: number; height: number }): Promise<Window>;
}

declare global {
  interface Window {
    /** Document picture-in-picture, in browsers that support it. */
    readonly documentPictureInPicture?: FloatingWindows;
  }
}

const SIZE = { width: 320, height: 260 };

/** Opens a window with the styles of this page above all others. Resolves to undefined without browser support. */
async function openFloatingWindow(page: Window): Promise<Window | undefined> {
  const opened = await page.documentPictureInPicture?.requestWindow(SIZE);
  if (opened === undefined) return undefined;
  const { documentElement, head } = opened.document;
  documentElement.lang = page.document.documentElement.lang;
  documentElement.dataset['theme'] = 'dark';
  for (const style of page.document.querySelectorAll('link[rel=stylesheet], style')) head.append(style.cloneNode(true));
  return opened;
}
