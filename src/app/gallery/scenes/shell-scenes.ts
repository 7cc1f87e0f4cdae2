import type { Scenes } from '../scene.ts';

export const shellScenes: Scenes = {
  'shell-counts': {
    path: '/home-man',
    play: ({ services }) => services.counts.set({ unread: 128, coins: 12_680 }),
  },
  'shell-woman': { path: '/home-woman', as: 'woman' },
  'shell-other-kind': { path: '/home-man', as: 'woman' },

  'not-found': { path: '/nowhere' },
};
