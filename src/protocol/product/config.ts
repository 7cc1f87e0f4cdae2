import * as v from 'valibot';

/**
 * The settings in `/config.js`, which sets `window.__CONFIG__` for the page (app-shell §9: a global configuration
 * object holds `ws_url`).
 */
export const appConfig = v.object({
  app_id: v.string(),
  api_url: v.string(),
  ws_url: v.string(),
  calling_api_url: v.string(),
  calling_ws_url: v.string(),
  /** The source of push tokens. Default: the browser's own push service. */
  push: v.optional(
    v.variant('provider', [
      v.object({ provider: v.literal('webpush') }),
      v.object({ provider: v.literal('none') }),
      v.object({
        provider: v.literal('fcm'),
        /** A module of this site with the parts of Firebase that the app needs (docs/push.md). */
        module_url: v.string(),
        /** The key of the Firebase project that identifies the sender to browsers, in base64url. */
        vapid_key: v.string(),
        /** The options of `initializeApp`. */
        options: v.record(v.string(), v.string()),
      }),
    ]),
  ),
});
export type AppConfig = v.InferOutput<typeof appConfig>;
