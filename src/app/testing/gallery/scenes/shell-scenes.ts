import { callsGoDown } from '../calls-go-down.ts';
import type { Scenes } from '../scene.ts';

export const shellScenes: Scenes = {
  'shell-counts': {
    path: '/home-man',
    play: ({ services }) => services.counts.set({ unread: 128, coins: 12_680 }),
  },
  'shell-woman': { path: '/home-woman', as: 'woman' },
  'shell-other-kind': { path: '/home-man', as: 'woman' },

  'shell-calls-down': {
    path: '/home-man',
    play: callsGoDown,
  },
  'shell-replaced': {
    path: '/home-man',
    async play({ shown, otherTab }) {
      otherTab({ u_id: 'yu-an', gender_type: 'woman', token: 'token of another tab' });
      await shown('[role=alert]');
    },
  },

  'not-found': { path: '/nowhere' },
};
