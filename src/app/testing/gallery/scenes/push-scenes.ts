import { warnInWebview } from '../../../features/push/webview-warning.ts';
import type { Scenes } from '../scene.ts';

const home = '/home-man';

export const pushScenes: Scenes = {
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
};
