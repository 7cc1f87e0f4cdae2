import { m } from '../../../core/i18n/generated/messages.js';
import { updateQuestion } from '../../../features/pwa/update-offer.ts';
import type { Scenes } from '../scene.ts';

const home = '/home-man';
const board = () => import('../boards/install-board.tsx');

export const pwaScenes: Scenes = {
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
