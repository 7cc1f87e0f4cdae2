import type { Scenes } from '../scene.ts';

const demo = { demoUsers: { users: [] } };
const letters = [
  { to: 'mina@example.com', at: Date.now() - 120_000, about: 'register' as const, code: '482913' },
  { to: '+886912345678', at: Date.now() - 600_000, about: 'password_changed' as const, code: null },
];

/** The pages that need no sign-in. */
export const visitorScenes: Scenes = {
  landing: { path: '/home', visitor: true },
  'landing-signed-in': { path: '/home', as: 'woman' },
  'landing-offline': { path: '/home', visitor: true, offline: true },
  privacy: { path: '/privacy', visitor: true },
  'privacy-offline': { path: '/privacy', visitor: true, offline: true },
  service: { path: '/service', visitor: true },
  'service-offline': { path: '/service', visitor: true, offline: true },
  'register-man': { path: '/register-man', visitor: true, api: demo },
  'register-woman': { path: '/register-woman', visitor: true, api: demo },
  'register-man-offline': { path: '/register-man', visitor: true, api: demo, offline: true },
  'register-woman-offline': { path: '/register-woman', visitor: true, api: demo, offline: true },
  'register-photo': {
    path: '/register-man',
    visitor: true,
    api: demo,
    board: () => import('../boards/photo-board.tsx'),
  },
  mailbox: { path: '/demo/mailbox', visitor: true, api: { demoMailbox: { letters } } },
  'mailbox-empty': { path: '/demo/mailbox', visitor: true, api: { demoMailbox: { letters: [] } } },
  'mailbox-loading': { path: '/demo/mailbox', visitor: true, answers: 'loading' },
  'mailbox-failed': { path: '/demo/mailbox', visitor: true, answers: 'failed' },
  login: { path: '/login', visitor: true },
  'login-loading': { path: '/login', visitor: true, answers: 'loading' },
  'login-empty': { path: '/login', visitor: true, answers: 'empty' },
  'login-offline': { path: '/login', visitor: true, offline: true },
  'login-failed': { path: '/login', visitor: true, answers: 'failed' },
};
