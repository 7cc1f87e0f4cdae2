import type { Scenes } from '../scene.ts';

const path = '/settings';

export const settingsScenes: Scenes = {
  settings: {
    path,
    api: {
      blocks: { items: [{ u_id: 'leo', nickname: '志豪', profile_url: '/portraits/zhi-hao.svg', at: 0 }], next: null },
    },
  },
  'settings-install': {
    path,
    api: { deleteMe: { refused: 'wrong_credentials' } },
    play: ({ host }) => host.offerInstall(),
  },
  'settings-empty': { path, answers: 'empty' },
  'settings-loading': { path, answers: 'loading' },
  'settings-offline': { path, offline: true, answers: 'empty' },
  'settings-failed': { path, answers: 'failed' },
};
