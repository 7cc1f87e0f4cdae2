import type { Scenes } from '../scene.ts';

export const loginScenes: Scenes = {
  login: { path: '/login', visitor: true },
  'login-loading': { path: '/login', visitor: true, answers: 'loading' },
  'login-empty': { path: '/login', visitor: true, answers: 'empty' },
  'login-offline': { path: '/login', visitor: true, offline: true },
  'login-failed': { path: '/login', visitor: true, answers: 'failed' },
};
