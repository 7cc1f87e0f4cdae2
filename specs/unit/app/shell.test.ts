import { matchPath } from 'react-router-dom';
import { describe, expect, it } from 'vitest';
import { MemoryStorage } from '../../../src/app/testing/fakes/memory-storage.ts';
import { admit } from '../../../src/app/features/shell/audience.ts';
import { loadScreen } from '../../../src/app/features/shell/load-screen.ts';
import { placesOf } from '../../../src/app/features/shell/places.ts';
import { APP_ROUTES } from '../../../sim/server/start-app-server.ts';
import { isOpenToVisitors, knownPaths, screenAt } from '../../../src/app/routes/shell/screens.tsx';
import { createVisits } from '../../../src/app/routes/shell/visits.ts';

describe('the access rule of a screen', () => {
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
  ] as const)('SCR-26: a screen for %s, opened by %o, answers %s', (who, user, answer) => {
    expect(admit(who, user)).toBe(answer);
  });
});

describe('each screen', () => {
  /** Every address, with its result for a visitor, a man and a woman (app-shell §2, §6). */
  const table = [
    ['/', 'welcome', 'welcome', 'welcome'],
    ['/home', 'welcome', 'welcome', 'welcome'],
    ['/privacy', 'welcome', 'welcome', 'welcome'],
    ['/service', 'welcome', 'welcome', 'welcome'],
    ['/login', 'welcome', 'welcome', 'welcome'],
    ['/register-man', 'welcome', 'welcome', 'welcome'],
    ['/register-woman', 'welcome', 'welcome', 'welcome'],
    ['/demo/mailbox', 'welcome', 'welcome', 'welcome'],
    ['/account-verification', 'visitor', 'welcome', 'welcome'],
    ['/identity-verification', 'visitor', 'otherKind', 'welcome'],
    ['/home-man', 'visitor', 'welcome', 'otherKind'],
    ['/home-woman', 'visitor', 'otherKind', 'welcome'],
    ['/woman-setting', 'visitor', 'otherKind', 'welcome'],
    ['/woman-info/:id', 'visitor', 'welcome', 'welcome'],
    ['/man-info', 'visitor', 'welcome', 'welcome'],
    ['/woman-edit', 'visitor', 'otherKind', 'welcome'],
    ['/settings', 'visitor', 'welcome', 'welcome'],
    ['/chat-list', 'visitor', 'welcome', 'welcome'],
    ['/man-chat-list', 'visitor', 'welcome', 'welcome'],
    ['/man-chat-list/:channelUrl', 'visitor', 'welcome', 'welcome'],
    ['/rooms', 'visitor', 'welcome', 'welcome'],
    ['/rooms/:roomId', 'visitor', 'welcome', 'welcome'],
    ['/current-points', 'visitor', 'otherKind', 'welcome'],
    ['/income-details', 'visitor', 'otherKind', 'welcome'],
    ['/redemption-records', 'visitor', 'otherKind', 'welcome'],
    ['/purchase/deposit', 'visitor', 'welcome', 'otherKind'],
    ['/deposit-record', 'visitor', 'welcome', 'otherKind'],
    ['/transactions-chat-record', 'visitor', 'welcome', 'welcome'],
    ['/transactions-record/:type', 'visitor', 'welcome', 'welcome'],
    ['*', 'welcome', 'welcome', 'welcome'],
  ] as const;

  it('is in the table of this test', () => {
    expect([...knownPaths].sort()).toEqual(table.map(([path]) => path).sort());
  });

  it('has no path that the server of the app does not know, since a reload would answer 404', () => {
    const first = [...knownPaths].map((path) => path.split('/')[1] ?? '').filter((part) => part !== '');
    expect([...APP_ROUTES].sort()).toEqual([...new Set(first)].filter((part) => part !== '*').sort());
  });

  it.each(table)('SCR-26: at %s a visitor sees %s, a man %s, a woman %s', (path, ...answers) => {
    const address = path === '*' ? '/no-such-screen' : path.replaceAll(/:\w+/g, 'x1');
    const row = screenAt(address);
    expect(row?.paths).toContain(path);
    const users = [null, { uId: 'bob', genderType: 'man' }, { uId: 'alice', genderType: 'woman' }] as const;
    expect(users.map((user) => row && admit(row.who, user))).toEqual(answers);
  });

  it.each([
    ['SCR-03', '/privacy'],
    ['SCR-04', '/service'],
    ['SCR-05', '/register-man'],
    ['SCR-06', '/register-woman'],
    ['SCR-07', '/login'],
  ])('%s: %s opens by its address without a session', (_, path) => {
    expect(isOpenToVisitors(path)).toBe(true);
    expect(isOpenToVisitors(`${path}/`)).toBe(true);
  });

  it('SES-03: no other address opens without a session: addresses for users and unknown addresses lead to /home', () => {
    const open = ['/privacy', '/service', '/register-man', '/register-woman', '/login', '/demo/mailbox'];
    const paths = [...knownPaths].filter((path) => isOpenToVisitors(path === '*' ? '/no-such-screen' : path));
    expect(paths.sort()).toEqual(open.sort());
  });

  it('SCR-09 SCR-10: /home-woman and /woman-setting are one screen, which stays mounted between the two', () => {
    expect(screenAt('/woman-setting')).toBe(screenAt('/home-woman'));
    expect(screenAt('/home-woman')?.paths).toEqual(['/home-woman', '/woman-setting']);
    expect(screenAt('/home-man')).not.toBe(screenAt('/home-woman'));
  });
});

describe('the links of the profile of this user', () => {
  it.each(['man', 'woman'] as const)('lead a %s to existing screens for that kind of user', (kind) => {
    const paths = [...knownPaths];
    const places = placesOf(kind).map(({ to }) => to);
    expect(places.filter((to) => !paths.some((path) => matchPath(path, to)))).toEqual([]);
    expect(places).toContain('/account-verification');
    expect(places).toContain('/settings');
    expect(places.includes('/identity-verification')).toBe(kind === 'woman');
    expect(places.includes('/deposit-record')).toBe(kind === 'man');
  });
});

describe('the code of a screen that does not load', () => {
  function page(online = true) {
    const seen = { reloads: 0 };
    return { seen, storage: new MemoryStorage(), isOnline: () => online, reload: () => void (seen.reloads += 1) };
  }
  const gone = () => Promise.reject(new Error('Failed to fetch dynamically imported module'));

  it('reloads the page once, and is an error the second time', async () => {
    const here = page();
    void loadScreen(gone, here);
    await expect.poll(() => here.seen.reloads).toBe(1);
    await expect(loadScreen(gone, here)).rejects.toThrow('Failed to fetch');
    expect(here.seen.reloads).toBe(1);
  });

  it('may reload the page again after a screen has loaded', async () => {
    const here = page();
    void loadScreen(gone, here);
    await expect.poll(() => here.seen.reloads).toBe(1);
    expect(await loadScreen(() => Promise.resolve('a screen'), here)).toBe('a screen');
    void loadScreen(gone, here);
    await expect.poll(() => here.seen.reloads).toBe(2);
  });

  it('is an error at once without a network, because a reload would lose the page', async () => {
    const here = page(false);
    await expect(loadScreen(gone, here)).rejects.toThrow('Failed to fetch');
    expect(here.seen.reloads).toBe(0);
  });
});

describe('navigation to a screen', () => {
  it('starts at the top, and restores the position after going back', () => {
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

  it('emits no event when only the search part of the address changes', () => {
    const visits = createVisits(Object.assign(new EventTarget(), { scrollY: 0 }));
    visits.arrive('/home-man', 'a', 'POP');
    expect(visits.arrive('/home-man', 'b', 'PUSH')).toBeNull();
  });

  it('emits the new address when the user moves on before the first screen loads, and none for a redirect', () => {
    const scroller = () => Object.assign(new EventTarget(), { scrollY: 0 });
    expect(createVisits(scroller()).arrive('/current-points', 'b', 'PUSH')).toEqual({ top: 0 });
    expect(createVisits(scroller()).arrive('/home-woman', 'b', 'REPLACE')).toBeNull();
  });
});
