/** A session as the login screen leaves one, made without it. */
import type { Page } from '@playwright/test';
import * as v from 'valibot';
import { homePath } from '../../../src/app/core/session/home-path.ts';
import { storageKeys } from '../../../src/app/core/session/storage-keys.ts';
import { accountEndpoints, loginAnswer } from '../../../src/protocol/product/accounts.ts';
import type { Stack } from './stack.ts';

/** Where the app is, and where it asks. */
export type Site = Pick<Stack, 'appUrl' | 'simUrl'>;

/** Signs a demo user in (POST /auth/login), and opens their home in this page. @throws Error when refused. */
export async function signIn(page: Page, { appUrl, simUrl }: Site, userId: string): Promise<void> {
  const response = await fetch(`${simUrl}${accountEndpoints.login.path}`, {
    method: accountEndpoints.login.method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ user_id: userId }),
  });
  if (!response.ok) throw new Error(`${userId} was not signed in (${response.status}): ${await response.text()}`);
  const answer = v.parse(loginAnswer, await response.json());
  const { token, u_id: uId, gender_type: kind } = answer;
  // The token last, as the app does: another tab may read between two of them.
  const kept = {
    [storageKeys.userId]: uId,
    [storageKeys.genderType]: kind,
    [storageKeys.callingUserId]: answer.calling_user_id,
    [storageKeys.callingAccessToken]: answer.calling_access_token,
    [storageKeys.token]: token,
  };
  // The app's origin without the app, and with an icon: the browser would ask for one, and complain that there is none.
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
  // Their devices have been looked at: what is called is dialled at once.
  await page.context().addCookies([{ name: 'ringback_devices_checked', value: '1', url: appUrl }]);
  await page.goto(`${appUrl}${homePath(kind)}`);
}
