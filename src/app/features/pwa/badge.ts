import type { Logger } from '../../core/ports/ports.ts';

/** The browser's badge on the icon of an installed app. */
export interface BadgePort {
  setAppBadge(count: number): Promise<void>;
  clearAppBadge(): Promise<void>;
}

/** Sets the number on the icon of the app. 0 removes the badge. */
export type SetBadge = (count: number) => void;

/** Creates the function that sets the badge. It does nothing in browsers without a badge. */
export function createBadge(port: BadgePort | null, logger: Logger): SetBadge {
  let shown = 0;
  return (count) => {
    if (port === null || count === shown) return;
    shown = count;
    const done = count > 0 ? port.setAppBadge(count) : port.clearAppBadge();
    done.catch((error: unknown) => logger.info('the badge of the app was not set', error));
  };
}
