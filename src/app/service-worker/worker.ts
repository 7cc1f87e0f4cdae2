/**
 * The service worker. It runs the app without a network, and shows notifications while the app is closed.
 *
 * It answers requests for the files of the build, pages, and the settings of the deployment. Other requests (accounts,
 * people, calls, pictures) go to the network and are not cached.
 */
import { PrecacheController, PrecacheRoute, type PrecacheEntry } from 'workbox-precaching';
import { registerRoute } from 'workbox-routing';
import { cacheNames, deleteOldCaches, isWhole, isPagePath } from './cache-rules.ts';
import { createKeptSettings, SETTINGS_PATH } from './kept-settings.ts';
import { notificationPath } from '../features/push/push-notification.ts';
import { showPush } from './show-push.ts';
import { SKIP_WAITING } from '../features/pwa/worker-messages.ts';
import type { WorkerScope } from './worker-scope.ts';

declare const self: WorkerScope;
/** The files of the build. The bundler writes them (service-worker-build.ts). */
declare const __PRECACHE__: PrecacheEntry[];

const names = cacheNames(self.__DEPLOYMENT__);
const settings = createKeptSettings({
  fetch: (request, init) => fetch(request, init),
  openCache: () => caches.open(names.settings),
  timeout: (ms) => AbortSignal.timeout(ms),
});
const files = new PrecacheController({
  cacheName: names.app,
  plugins: [{ cacheWillUpdate: async ({ response }) => (isWhole(response) ? response : null) }],
});
files.addToCacheList(__PRECACHE__);

registerRoute(({ url }) => url.origin === self.location.origin && url.pathname === SETTINGS_PATH, settings.answer);
registerRoute(new PrecacheRoute(files, { ignoreURLParametersMatching: [], directoryIndex: '', cleanURLs: false }));
const page = files.createHandlerBoundToURL('/index.html');
registerRoute(
  ({ request, url }) => request.mode === 'navigate' && url.origin === self.location.origin && isPagePath(url.pathname),
  page,
);

self.addEventListener('install', (event) => {
  event.waitUntil(Promise.all([files.install(event), settings.keep()]));
});
self.addEventListener('activate', (event) => {
  event.waitUntil(Promise.all([files.activate(event), deleteOldCaches(caches, names)]));
});
// A new version waits until the user has agreed to it (app-shell §4).
self.addEventListener('message', (event) => {
  if (event.data === SKIP_WAITING) event.waitUntil(self.skipWaiting());
});
self.addEventListener('push', (event) => event.waitUntil(showPush(event.data?.text() ?? '', self)));
self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(self.clients.openWindow(self.location.origin + notificationPath(event.notification.data)));
});
