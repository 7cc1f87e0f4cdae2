import type { Scenes } from '../scene.ts';

const path = '/settings';
const SOON = Date.UTC(2026, 10, 23, 4);

export const settingsScenes: Scenes = {
  settings: {
    path,
    api: {
      ownerProofs: { has_password: true, contact: null, contact_from: SOON, cool_off_seconds: 259_200 },
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
