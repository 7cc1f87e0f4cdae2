import type { Scenes } from '../scene.ts';

const demo = { demoUsers: { users: [] } };
const letters = [
  { to: 'mina@example.com', at: Date.now() - 120_000, about: 'register' as const, code: '482913' },
  { to: '+886912345678', at: Date.now() - 600_000, about: 'password_changed' as const, code: null },
];

export const registerScenes: Scenes = {
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
};
