/** The alert inside the browsers of Line and Facebook, and the instructions that it offers. */
import { describe, expect, it } from 'vitest';
import { createDialogs } from '../../../src/ui/dialogs/dialogs.ts';
import { HandClock } from '../support/hand-clock.ts';
import { memoryCookieJar } from '../../../src/app/testing/fakes/memory-storage.ts';
import { RecordingLogger } from '../../../src/app/testing/fakes/recording-logger.ts';
import { createLocalePreference } from '../../../src/app/core/i18n/locale.ts';
import { warnInWebview } from '../../../src/app/features/push/webview-warning.ts';
import { createToasts } from '../../../src/ui/toasts/toasts.ts';

const PAGE = 'https://ringback.example/home';
const LINE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari Line/15.2.0';
const FACEBOOK_IOS =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/22A [FBAN/FBIOS;FBAV/480.0]';
const FACEBOOK_ANDROID =
  'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/480.0;]';

function opened(userAgent: string, { languages = ['en'], copy = async (_: string): Promise<void> => undefined } = {}) {
  createLocalePreference(memoryCookieJar(), languages);
  const dialogs = createDialogs();
  const toasts = createToasts(new HandClock());
  const logger = new RecordingLogger();
  const copied: string[] = [];
  const warned = warnInWebview({
    userAgent,
    pageUrl: PAGE,
    dialogs,
    toasts,
    logger,
    copy: async (text) => {
      await copy(text);
      copied.push(text);
    },
  });
  return { dialogs, toasts, logger, copied, warned, texts: () => toasts.shown.get().map(({ text }) => text) };
}

describe('the app inside the browser of another app', () => {
  it.each([
    ['Line', LINE, 'LINE'],
    ['Facebook on an iPhone', FACEBOOK_IOS, 'Facebook'],
    ['Facebook on Android', FACEBOOK_ANDROID, 'Facebook'],
  ])(
    'NOT-07: in %s an alert recommends Safari or Chrome, and does not return once it was read',
    async (_, userAgent, app) => {
      const { dialogs, warned } = opened(userAgent);
      const alert = dialogs.open.get();
      expect(alert?.kind).toBe('alert');
      expect(alert?.question.text).toBe(
        `You are inside ${app}: push, video and fullscreen may not work here. Please open Ringback in Safari or Chrome.`,
      );
      alert?.answer(true);
      await warned;
      expect(dialogs.open.get()).toBe(null);
      const chinese = opened(userAgent, { languages: ['zh-TW'] }).dialogs.open.get()?.question.text;
      expect(chinese).toContain(app);
      expect(chinese).toContain('Safari 或 Chrome');
    },
  );

  it.each([LINE, FACEBOOK_IOS])('NOT-07: the alert copies the address of the page (%s)', async (userAgent) => {
    const { dialogs, copied, texts } = opened(userAgent);
    dialogs.open.get()?.action?.run();
    await expect.poll(texts).toEqual(['Link copied']);
    expect(copied).toEqual([PAGE]);
  });

  it('shows the address when it cannot be copied', async () => {
    const refuse = () => Promise.reject(new DOMException('no', 'NotAllowedError'));
    const { dialogs, logger, texts } = opened(FACEBOOK_IOS, { copy: refuse });
    dialogs.open.get()?.action?.run();
    await expect.poll(texts).toEqual([PAGE]);
    expect(logger.of('warn')).toEqual(['the link was not copied']);
  });

  it.each([
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Mobile/22A Instagram 350.0.0 (iPhone16,2; iOS 18)',
  ])('NOT-07: no other browser shows an alert: %s', async (userAgent) => {
    const { dialogs, warned } = opened(userAgent);
    await warned;
    expect(dialogs.open.get()).toBe(null);
  });
});
