import * as v from 'valibot';

/**
 * The settings the page is served with as `/config.js`, which sets `window.__CONFIG__` (app-shell §9: a global
 * configuration object holds `ws_url`).
 */
export const appConfig = v.object({
  app_id: v.string(),
  api_url: v.string(),
  ws_url: v.string(),
  calling_api_url: v.string(),
  calling_ws_url: v.string(),
  /** What gets a token from a push service. Default: the browser's own way. */
  push: v.optional(
    v.variant('provider', [
      v.object({ provider: v.literal('webpush') }),
      v.object({ provider: v.literal('none') }),
      v.object({
        provider: v.literal('fcm'),
        /** A module of this site that brings what the app needs of Firebase (docs/push.md). */
        module_url: v.string(),
        /** The key of the Firebase project by which browsers know who sends, in base64url. */
        vapid_key: v.string(),
        /** What `initializeApp` takes. */
        options: v.record(v.string(), v.string()),
      }),
    ]),
  ),
});
export type AppConfig = v.InferOutput<typeof appConfig>;
