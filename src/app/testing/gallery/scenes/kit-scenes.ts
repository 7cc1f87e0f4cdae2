import type { Scenes } from '../scene.ts';

const home = '/home-man';
const loaded = () => import('../boards/loaded-board.tsx');

export const kitScenes: Scenes = {
  'kit-buttons': { path: home, board: () => import('../boards/buttons-board.tsx') },
  'kit-choices': { path: home, board: () => import('../boards/choices-board.tsx') },
  'kit-form': { path: home, board: () => import('../boards/form-board.tsx') },
  'kit-lists': { path: home, board: () => import('../boards/lists-board.tsx') },
  'kit-loaded': { path: home, board: loaded },
  'kit-loaded-loading': { path: home, board: loaded, answers: 'loading' },
  'kit-loaded-empty': { path: home, board: loaded, answers: 'empty' },
  'kit-loaded-failed': { path: home, board: loaded, answers: 'failed' },
};
