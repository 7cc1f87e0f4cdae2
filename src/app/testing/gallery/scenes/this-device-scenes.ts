import { m } from '../../../core/i18n/generated/messages.js';
import { warnInWebview } from '../../../features/push/webview-warning.ts';
import { updateQuestion } from '../../../features/pwa/update-offer.ts';
import type { Scenes } from '../scene.ts';

const home = '/home-man';
const board = () => import('../boards/install-board.tsx');

/** The notifications, the installation and the updates of the app on a device. */
export const thisDeviceScenes: Scenes = {
  'push-offer': { path: home, play: ({ services }) => services.push.offer.offer() },
  'push-webview': {
    path: home,
    play: ({ services, host }) =>
      void warnInWebview({
        ...services,
        pageUrl: 'https://ringback.example/',
        userAgent: 'Line/15',
        copy: host.copy,
        logger: services.ports.logger,
      }),
  },
  'pwa-install': {
    path: home,
    board,
    play({ services, host }) {
      services.pwa.install.noteValue();
      host.offerInstall();
    },
  },
  'pwa-install-ios': { path: home, board, isIos: true, play: ({ services }) => services.pwa.install.noteValue() },
  'pwa-update': { path: home, play: ({ services }) => void services.dialogs.confirm(updateQuestion()) },
  'pwa-offline-ready': { path: home, play: ({ services }) => services.toasts.show(m.pwa_offline_ready()) },
};
