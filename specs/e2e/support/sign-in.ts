/** Stores a session as the login screen does, without the login screen. */
import type { Page } from '@playwright/test';
import * as v from 'valibot';
import { homePath } from '../../../src/app/core/session/home-path.ts';
import { storageKeys } from '../../../src/app/core/session/storage-keys.ts';
import { accountEndpoints, loginAnswer } from '../../../src/protocol/product/accounts.ts';
import type { Stack } from './stack.ts';

/** The addresses of the app and of its server. */
export type Site = Pick<Stack, 'appUrl' | 'simUrl'>;

/**
 * Signs a demo user in (POST /auth/login), and opens the user's home page.
 *
 * @throws Error when the login is refused.
 */
export async function signIn(page: Page, { appUrl, simUrl }: Site, userId: string): Promise<void> {
  const response = await fetch(`${simUrl}${accountEndpoints.login.path}`, {
    method: accountEndpoints.login.method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ user_id: userId }),
  });
  if (!response.ok) throw new Error(`${userId} was not signed in (${response.status}): ${await response.text()}`);
  const answer = v.parse(loginAnswer, await response.json());
  const { token, u_id: uId, gender_type: kind } = answer;
  // The token is stored last, as in the app, because another tab may read in between.
  const kept = {
    [storageKeys.userId]: uId,
    [storageKeys.genderType]: kind,
    [storageKeys.callingUserId]: answer.calling_user_id,
    [storageKeys.callingAccessToken]: answer.calling_access_token,
    [storageKeys.token]: token,
  };
  // A page of the app's origin without the app. It has an icon, because the browser would request one and report its
  // absence.
  const door = `${appUrl}/signed-in`;
  const body = '<link rel="icon" href="data:,">';
  await page.route(door, (route) => route.fulfill({ contentType: 'text/html', body }));
  await page.goto(door);
  await page.evaluate(
    ([entries, userIdKey, user]) => {
      for (const [key, value] of Object.entries(entries)) localStorage.setItem(key, value);
      sessionStorage.setItem(userIdKey, user);
    },
    [kept, storageKeys.userId, uId] as const,
  );
  await page.unroute(door);
  // The device check is done, so calls are dialled at once.
  await page.context().addCookies([{ name: 'ringback_devices_checked', value: '1', url: appUrl }]);
  await page.goto(`${appUrl}${homePath(kind)}`);
}
