import { useEffect, useState } from 'react';
import type { Logger } from '../../../../core/ports/logger.ts';
import { openFloatingWindow } from './open-floating-window.ts';

interface FloatingWindow {
  readonly host: Window;
  /** What the stage plays, to be shown there once more. */
  readonly stream: MediaProvider | null;
}

interface Floating {
  /** The window above all others while there is one. */
  readonly opened: FloatingWindow | null;
  /** Opens it, or the browser's own for a video, or, where it has neither, does what is left to do. */
  open(video: HTMLVideoElement | null): Promise<void>;
}

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
      logger.warn('the call does not float', error);
      otherwise();
    }
  }

  return { opened, open };
}
