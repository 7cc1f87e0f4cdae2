import { createRoot } from 'react-dom/client';
import { MemoryRouter } from 'react-router-dom';
import type { GenderType } from '../../../protocol/product/values.ts';
import { loadEventReader } from '../../core/events/load-event-reader.ts';
import { FakeCallingLibrary } from '../fakes/fake-calling-library.ts';
import { FakeConnectivity } from '../fakes/fake-connectivity.ts';
import { FakeDevicePermissions } from '../fakes/fake-device-permissions.ts';
import { FakePwaHost } from '../fakes/fake-pwa-host.ts';
import { FakeSockets } from '../fakes/fake-sockets.ts';
import { memoryCookieJar, MemoryStorage } from '../fakes/memory-storage.ts';
import { browserPorts } from '../../core/ports/browser-ports.ts';
import { ServicesProvider } from '../../services/services-provider.tsx';
import { createServices } from '../../services/services.ts';
import { App } from '../../routes/shell/app.tsx';
import loadingStyles from '../../features/shell/screen-loading.module.css';
import type { Asked } from './asked.ts';
import { createGalleryServer } from './gallery-server.ts';
import { swayingPortrait } from './gallery-streams.ts';
import type { Answers, Scene } from './scene.ts';
import { scenes } from './scenes.ts';
import { shown, stillness } from './stillness.ts';

/** A scene on the page. */
export interface ShownScene {
  readonly name: string;
  /** Changes only the language and the theme of the scene. */
  look(look: Pick<Asked, 'locale' | 'theme'>): void;
  /** Removes the scene and everything that it started. The page is then as it was loaded. */
  leave(): void;
}

/** Shows a scene, plays it, and waits until it is at rest. */
export async function showScene(root: HTMLElement, { scene: name, locale, theme }: Asked): Promise<ShownScene> {
  const scene = scenes[name];
  if (scene === undefined) throw new Error(`No scene is named ${name}`);
  const left = new AbortController();
  const { title } = document;
  const parts = await createParts(scene, { locale, theme }, left.signal);
  const { services, library, host, permissions, connectivity, localStorage, server } = parts;
  const Board = (await scene.board?.())?.default;
  services.admit(() => {}, true);
  services.start();
  const picture = createRoot(root);
  picture.render(
    <ServicesProvider services={services}>
      <MemoryRouter initialEntries={[scene.path]}>
        <App {...(Board && { screens: <Board /> })} />
      </MemoryRouter>
    </ServicesProvider>,
  );
  const rest = () =>
    stillness(document, () => server.isAsked() || document.querySelector(`.${loadingStyles.loading}`) !== null);
  await rest();
  if (scene.offline) connectivity.set(false);
  performance.mark('scene-played');
  await scene.play?.({
    services,
    library,
    host,
    permissions,
    otherTab(stored) {
      for (const [key, value] of Object.entries(stored)) localStorage.setItem(key, value);
      connectivity.comeBack();
    },
    shown: (selector) => shown(document, selector),
    left: left.signal,
  });
  await rest();

  return {
    name,
    look(look) {
      services.locale.choose(look.locale);
      services.theme.choose(look.theme);
    },
    leave() {
      picture.unmount();
      services.dispose();
      services.queries.forget();
      left.abort();
      document.title = title;
      scrollTo({ top: 0, behavior: 'instant' });
    },
  };
}

/** The outcome of each request about rooms, which is sent by the library. */
const ROOM_GATES: Readonly<Record<Answers, () => Promise<void>>> = {
  data: () => Promise.resolve(),
  empty: () => Promise.resolve(),
  loading: () => new Promise(() => {}),
  failed: () => Promise.reject(new Error('The exchange does not answer')),
};

/** Creates the services of the app for a scene, and the fakes behind them. */
async function createParts(scene: Scene, { locale, theme }: Pick<Asked, 'locale' | 'theme'>, left: AbortSignal) {
  const library = new FakeCallingLibrary();
  if (scene.play !== undefined || scene.rooms !== undefined) {
    library.streams = {
      local: await swayingPortrait('/portraits/me.svg', 480, 360, left),
      remote: await remoteStream(scene, left),
    };
  }
  library.ownStream = library.streams.local;
  library.rooms.gate = ROOM_GATES[scene.answers ?? 'data'];
  scene.rooms?.(library.rooms, library.streams);
  const permissions = new FakeDevicePermissions();
  const host = new FakePwaHost({ isIos: scene.isIos ?? false });
  const connectivity = new FakeConnectivity();
  const localStorage = new MemoryStorage(scene.visitor ? {} : signedIn(scene.as ?? 'man'));
  const server = createGalleryServer(scene.answers ?? 'data', scene.api ?? {}, Date.now());
  const services = createServices({
    config: {
      app_id: 'gallery',
      api_url: location.origin,
      ws_url: 'ws://gallery',
      calling_api_url: location.origin,
      calling_ws_url: 'ws://gallery',
    },
    ports: {
      ...browserPorts(),
      fetch: server.fetch,
      openSocket: new FakeSockets().open,
      connectivity,
      devicePermissions: permissions,
      localStorage,
      sessionStorage: new MemoryStorage(scene.visitor ? {} : { u_id: 'me' }),
    },
    cookies: memoryCookieJar({
      ringback_locale: locale,
      ringback_theme: theme,
      ...(!scene.isFirstCall && { ringback_devices_checked: '1' }),
    }),
    browserLanguages: [],
    pageUrl: location.href,
    loadCallingLibrary: () => Promise.resolve(library),
    loadEventReader,
    host,
    workerUrl: null,
    loadPushModule: () => Promise.reject(new Error('The gallery has no push')),
  });
  return { services, library, host, permissions, connectivity, localStorage, server };
}

const signedIn = (kind: GenderType) => ({
  token: 'gallery-token',
  u_id: 'me',
  gender_type: kind,
  calling_user_id: 'me',
  calling_access_token: 'gallery',
});

async function remoteStream({ remote = 'landscape' }: Scene, left: AbortSignal): Promise<MediaStream> {
  switch (remote) {
    case 'portrait':
      return await swayingPortrait('/portraits/yu-an.svg', 360, 640, left);
    case 'landscape':
      return await swayingPortrait('/portraits/yu-an.svg', 640, 360, left);
    case 'white':
    case 'black':
      return await swayingPortrait(`data:image/svg+xml,${encodeURIComponent(blank(remote))}`, 640, 360, left);
    default:
      return remote satisfies never;
  }
}

function blank(colour: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="600" height="800"><rect width="600" height="800" fill="${colour}"/></svg>`;
}
