import type { Scenes } from '../scene.ts';

const home = '/home-man';

export const peopleScenes: Scenes = {
  home: { path: home },
  'home-loading': { path: home, answers: 'loading' },
  'home-empty': { path: home, answers: 'empty' },
  'home-failed': { path: home, answers: 'failed' },
  'home-no-chats': { path: home, api: { channels: 'failed' } },
  'home-filtered-out': { path: `${home}?only=online,verified&city=花蓮` },
  'home-no-favorites': { path: `${home}?only=favorite`, answers: 'empty' },
  'home-filtered': { path: `${home}?only=online,video` },
  'home-offline': { path: home, offline: true },
};
