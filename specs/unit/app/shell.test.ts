import { matchPath } from 'react-router-dom';
import { describe, expect, it } from 'vitest';
import { MemoryStorage } from '../../../src/app/fakes/memory-storage.ts';
import { admit } from '../../../src/app/shell/audience.ts';
import { loadScreen } from '../../../src/app/shell/load-screen.ts';
import { placesOf } from '../../../src/app/shell/places.ts';
import { knownPaths } from '../../../src/app/shell/screens.tsx';
import { createVisits } from '../../../src/app/shell/visits.ts';

describe('the gate of a screen', () => {
  const man = { uId: 'bob', genderType: 'man' } as const;
  const woman = { uId: 'alice', genderType: 'woman' } as const;

  it.each([
    ['anyone', null, 'welcome'],
    ['anyone', woman, 'welcome'],
    ['users', null, 'visitor'],
    ['users', man, 'welcome'],
    ['men', null, 'visitor'],
    ['men', man, 'welcome'],
    ['men', woman, 'otherKind'],
    ['women', man, 'otherKind'],
    ['women', woman, 'welcome'],
    ['men', { uId: 'somebody', genderType: null }, 'welcome'],
  ] as const)('SCR-26: a screen for %s, asked for by %o, answers %s', (who, user, answer) => {
    expect(admit(who, user)).toBe(answer);
  });
});

describe('the places about oneself', () => {
  it.each(['man', 'woman'] as const)('lead a %s to screens that there are, and that are theirs', (kind) => {
    const paths = [...knownPaths];
    const places = placesOf(kind).map(({ to }) => to);
    expect(places.filter((to) => !paths.some((path) => matchPath(path, to)))).toEqual([]);
    expect(places).toContain('/account-verification');
    expect(places).toContain('/settings');
    expect(places.includes('/identity-verification')).toBe(kind === 'woman');
    expect(places.includes('/deposit-record')).toBe(kind === 'man');
  });
});

describe('the code of a screen that cannot be loaded', () => {
  function page(online = true) {
    const seen = { reloads: 0 };
    return { seen, storage: new MemoryStorage(), isOnline: () => online, reload: () => void (seen.reloads += 1) };
  }
  const gone = () => Promise.reject(new Error('Failed to fetch dynamically imported module'));

  it('loads the page anew, once, and is an error the second time', async () => {
    const here = page();
    void loadScreen(gone, here);
    await expect.poll(() => here.seen.reloads).toBe(1);
    await expect(loadScreen(gone, here)).rejects.toThrow('Failed to fetch');
    expect(here.seen.reloads).toBe(1);
  });

  it('may load the page anew again after a screen has loaded', async () => {
    const here = page();
    void loadScreen(gone, here);
    await expect.poll(() => here.seen.reloads).toBe(1);
    expect(await loadScreen(() => Promise.resolve('a screen'), here)).toBe('a screen');
    void loadScreen(gone, here);
    await expect.poll(() => here.seen.reloads).toBe(2);
  });

  it('is an error at once where there is no network: loading anew would lose the page', async () => {
    const here = page(false);
    await expect(loadScreen(gone, here)).rejects.toThrow('Failed to fetch');
    expect(here.seen.reloads).toBe(0);
  });
});

describe('coming to a screen', () => {
  it('starts at the top, and where it was left after going back', () => {
    const scroller = new EventTarget();
    const visits = createVisits(Object.assign(scroller, { scrollY: 0 }));
    const stop = visits.watchScrolling();
    const scroll = (top: number) => {
      Object.assign(scroller, { scrollY: top });
      scroller.dispatchEvent(new Event('scroll'));
    };
    expect(visits.arrive('/home-man', 'a', 'POP')).toBeNull();
    scroll(740);
    expect(visits.arrive('/woman-info/1', 'b', 'PUSH')).toEqual({ top: 0 });
    scroll(12);
    expect(visits.arrive('/home-man', 'a', 'POP')).toEqual({ top: 740 });
    stop();
    scroll(3);
    expect(visits.arrive('/woman-info/1', 'b', 'POP')).toEqual({ top: 12 });
    expect(visits.arrive('/home-man', 'a', 'POP')).toEqual({ top: 740 });
  });

  it('is not told of when only the search part of the address changes', () => {
    const visits = createVisits(Object.assign(new EventTarget(), { scrollY: 0 }));
    visits.arrive('/home-man', 'a', 'POP');
    expect(visits.arrive('/home-man', 'b', 'PUSH')).toBeNull();
  });

  it('is told of where somebody has gone on before the first one was there, and not where that one led on by itself', () => {
    const scroller = () => Object.assign(new EventTarget(), { scrollY: 0 });
    expect(createVisits(scroller()).arrive('/current-points', 'b', 'PUSH')).toEqual({ top: 0 });
    expect(createVisits(scroller()).arrive('/home-woman', 'b', 'REPLACE')).toBeNull();
  });
});
