import { galleryOwn, galleryOwnMan, galleryMan, galleryOwnNew, galleryPerson } from '../gallery-profile.ts';
import type { Scenes, SceneAnswers } from '../scene.ts';
import { points } from './points-scenes.ts';

const hub = {
  ...galleryOwn,
  points: { ...points, redeeming: { ...points.redeeming, missing: ['identity', 'payout_account'] } },
} satisfies SceneAnswers;
const home = '/home-man';
const info = '/woman-info/pei-han';

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
  hub: { path: '/home-woman', as: 'woman', api: hub },
  'hub-empty': { path: '/woman-setting', as: 'woman', answers: 'empty', api: hub },
  'hub-favorites': {
    path: '/home-woman',
    as: 'woman',
    answers: 'empty',
    api: galleryOwn,
    play: ({ shown }) => shown('input[value=favorite]').then((choice) => choice.click()),
  },
  'hub-loading': { path: '/home-woman', as: 'woman', answers: 'loading' },
  'hub-points-loading': { path: '/home-woman', as: 'woman', api: { ...hub, points: 'loading' } },
  'hub-failed': { path: '/home-woman', as: 'woman', answers: 'failed' },
  'hub-offline': { path: '/home-woman', as: 'woman', api: hub, offline: true },
  'woman-info': { path: info, api: { person: galleryPerson } },
  'woman-info-new': { path: info, api: { person: { ...galleryPerson, gifts: [], response_rate: null } } },
  'woman-info-preview': { path: '/woman-info/me', as: 'woman', api: { person: { ...galleryPerson, u_id: 'me' } } },
  'woman-info-unknown': { path: '/woman-info/%3Cscript%3E' },
  'woman-info-loading': { path: info, answers: 'loading' },
  'woman-info-failed': { path: info, answers: 'failed' },
  'woman-info-offline': { path: info, api: { person: galleryPerson }, offline: true },
  'man-info-card': { path: '/man-info?id=kai', as: 'woman', api: { person: galleryMan } },
  'man-info': { path: '/man-info', api: galleryOwnMan },
  'man-info-install': { path: '/man-info', api: galleryOwnMan, play: ({ host }) => host.offerInstall() },
  'man-info-failed': { path: '/man-info', answers: 'failed' },
  'man-info-loading': { path: '/man-info', answers: 'loading' },
  'man-info-offline': { path: '/man-info', api: galleryOwnMan, offline: true },
  'woman-edit': { path: '/woman-edit', as: 'woman', api: galleryOwn },
  'woman-edit-offline': { path: '/woman-edit', as: 'woman', api: galleryOwn, offline: true },
  'woman-edit-empty': { path: '/woman-edit', as: 'woman', api: galleryOwnNew },
  'woman-edit-failed': { path: '/woman-edit', as: 'woman', answers: 'failed' },
  'woman-edit-loading': { path: '/woman-edit', as: 'woman', answers: 'loading' },
};
