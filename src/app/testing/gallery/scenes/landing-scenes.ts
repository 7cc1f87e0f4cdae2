import type { Scenes } from '../scene.ts';

const home = '/home';

export const landingScenes: Scenes = {
  landing: { path: home, visitor: true },
  'landing-signed-in': { path: home, as: 'woman' },
  'landing-offline': { path: home, visitor: true, offline: true },
};
