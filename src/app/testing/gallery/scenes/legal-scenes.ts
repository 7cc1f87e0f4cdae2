import type { Scenes } from '../scene.ts';

export const legalScenes: Scenes = {
  privacy: { path: '/privacy', visitor: true },
  'privacy-offline': { path: '/privacy', visitor: true, offline: true },
  service: { path: '/service', visitor: true },
  'service-offline': { path: '/service', visitor: true, offline: true },
};
