import { matchPath } from 'react-router-dom';
import { describe, expect, it } from 'vitest';
import type { Scene } from '../../../src/app/testing/gallery/scene.ts';
import { scenes } from '../../../src/app/testing/gallery/scenes.ts';
import { knownPaths } from '../../../src/app/routes/shell/screens.tsx';

const STATES = ['empty', 'loading', 'failed', 'offline'] as const;
type State = (typeof STATES)[number];

interface Shown {
  /** The scene with content. The scenes of the other states are named after it. */
  readonly data: string;
  /** A state with a scene name that differs. */
  readonly named?: Partial<Record<State, string>>;
  /** A state that does not exist, and the reason. */
  readonly none?: Partial<Record<State, string>>;
}

const NOTHING_ASKED = 'it asks for nothing before it is there';
const still = { empty: NOTHING_ASKED, loading: NOTHING_ASKED, failed: NOTHING_ASKED };

const shown: Readonly<Record<string, Shown>> = {
  '/': { data: 'landing', none: still },
  '/privacy': { data: 'privacy', none: still },
  '/service': { data: 'service', none: still },
  '/register-man': { data: 'register-man', none: still },
  '/register-woman': { data: 'register-woman', none: still },
  '/login': { data: 'login' },
  '/demo/mailbox': { data: 'mailbox', none: { offline: 'the demo is on this machine' } },
  '/home-man': { data: 'home' },
  '/home-woman': { data: 'hub' },
  '/woman-info/:id': { data: 'woman-info', named: { empty: 'woman-info-unknown' } },
  '/man-info': { data: 'man-info', none: { empty: 'a man has a profile from his registration on' } },
  '/woman-edit': { data: 'woman-edit' },
  '/purchase/deposit': { data: 'deposit', none: { empty: 'the packs are constants of the product' } },
  '/deposit-record': { data: 'deposit-record' },
  '/transactions-chat-record': { data: 'charges' },
  '/transactions-record/:type': { data: 'transactions' },
  '/current-points': { data: 'points' },
  '/income-details': { data: 'income' },
  '/redemption-records': { data: 'redemptions' },
  '/identity-verification': { data: 'identity-verification-pending', named: identity() },
  '/account-verification': { data: 'account-verification' },
  '/chat-list': { data: 'chat-list' },
  '/man-chat-list/:channelUrl': { data: 'chat-thread', named: { empty: 'chat-thread-new' } },
  '/settings': { data: 'settings' },
  '/rooms': { data: 'rooms' },
  '/rooms/:roomId': {
    data: 'room-lobby',
    named: { empty: 'room-missing', loading: 'room-loading', failed: 'room-failed' },
  },
  '*': { data: 'not-found', none: { ...still, offline: NOTHING_ASKED } },
};

function identity(): Record<State, string> {
  const at = (state: string): string => `identity-verification${state}`;
  return { empty: at(''), loading: at('-loading'), failed: at('-failed'), offline: at('-offline') };
}

/** Addresses that show the view of another address. */
const same: Readonly<Record<string, string>> = {
  '/home': '/',
  '/woman-setting': '/home-woman',
  '/man-chat-list': '/chat-list',
};

const all = Object.entries(shown).flatMap(([route, { data, named, none }]) =>
  (['data', ...STATES] as const)
    .filter((state) => state === 'data' || none?.[state] === undefined)
    .map((state) => ({ route, state, scene: state === 'data' ? data : (named?.[state] ?? `${data}-${state}`) })),
);

describe('the gallery', () => {
  it('shows every address that has a screen', () => {
    expect([...knownPaths].map((path) => same[path] ?? path).filter((path) => !(path in shown))).toEqual([]);
    expect(Object.keys(shown).filter((path) => !knownPaths.has(path))).toEqual([]);
  });

  it.each(all)('has $route with the state $state in the scene $scene', ({ route, state, scene: name }) => {
    const scene = scenes[name];
    if (scene === undefined) throw new Error(`There is no scene ${name}`);
    const { pathname } = new URL(scene.path, 'https://gallery.test');
    const routes = [route, ...Object.keys(same).filter((path) => same[path] === route)];
    expect(routes.some((path) => matchPath(path, pathname) !== null)).toBe(true);
    expect(hasState(scene, state)).toBe(true);
  });
});

/** Returns whether a scene shows a state. The empty state differs between screens. */
function hasState({ answers, api = {}, offline = false }: Scene, state: State | 'data'): boolean {
  const said = [answers, ...Object.values(api)];
  switch (state) {
    case 'loading':
    case 'failed':
      return said.includes(state);
    case 'offline':
      return offline;
    case 'data':
    case 'empty':
      return !offline && !said.includes('failed') && answers !== 'loading';
    default:
      return state satisfies never;
  }
}
