import { LOCALE_COOKIE, type Locale, preferredLocale } from '../core/i18n/locale.ts';
import { pushNotification, readPushPayload } from '../features/push/push-notification.ts';
import type { WorkerScope } from './worker-scope.ts';

/** Shows the notification of a push message that arrived while no page was open. */
export async function showPush(
  text: string,
  scope: Pick<WorkerScope, 'location' | 'registration' | 'cookieStore' | 'navigator'>,
): Promise<void> {
  const { title, options } = pushNotification(readPushPayload(text), scope.location.origin, await localeOf(scope));
  await scope.registration.showNotification(title, options);
}

/** Returns the language of the pages, or the browser's language when the worker cannot read cookies. */
async function localeOf({ cookieStore, navigator }: Pick<WorkerScope, 'cookieStore' | 'navigator'>): Promise<Locale> {
  const chosen = await cookieStore?.get(LOCALE_COOKIE).catch(() => null);
  return preferredLocale(chosen?.value, navigator.languages);
}
