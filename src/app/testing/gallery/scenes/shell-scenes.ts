import type { Scenes, Stage } from '../scene.ts';

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

/** Takes the exchange down until the scene ends. */
export function callsGoDown({ services, library }: Pick<Stage, 'services' | 'library'>): Promise<void> {
  const down = new Error('The exchange is down');
  library.authenticationErrors.push(...Array.from({ length: 20 }, () => down));
  services.calling.stop();
  return services.calling.start();
}
