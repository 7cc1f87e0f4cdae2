import '../design/tokens.css';
import '../design/base.css';
import '../first-picture/first-picture.css';
import { createRoot } from 'react-dom/client';
import { MemoryRouter } from 'react-router-dom';
import type { GenderType } from '../../protocol/product/values.ts';
import { FakeCallingLibrary } from '../fakes/fake-calling-library.ts';
import { FakeConnectivity } from '../fakes/fake-connectivity.ts';
import { FakeDevicePermissions } from '../fakes/fake-device-permissions.ts';
import { FakePwaHost } from '../fakes/fake-pwa-host.ts';
import { FakeSockets } from '../fakes/fake-sockets.ts';
import { memoryCookieJar } from '../fakes/memory-cookie-jar.ts';
import { MemoryStorage } from '../fakes/memory-storage.ts';
import { browserPorts } from '../ports/browser-ports.ts';
import { ServicesProvider } from '../services/services-context.ts';
import { createServices } from '../services/services.ts';
import { App } from '../shell/app.tsx';
import { galleryFetch } from './gallery-server.ts';
import { swayingPortrait } from './gallery-streams.ts';
import { followLook } from './looks.ts';
import type { Scene } from './scene.ts';
import { scenes } from './scenes.ts';

/** `?scene=home&locale=en&theme=light` shows one scene; without a scene there is a list of them. */
async function show(root: HTMLElement, search: URLSearchParams): Promise<void> {
  const scene = scenes[search.get('scene') ?? ''];
  if (scene === undefined) {
    createRoot(root).render(<Contents />);
    return;
  }
  const library = new FakeCallingLibrary();
  if (scene.play !== undefined) {
    library.streams = {
      local: await swayingPortrait('/portraits/me.svg', 480, 360),
      remote: await remoteStream(scene),
    };
  }
  library.ownStream = library.streams.local;
  const permissions = new FakeDevicePermissions();
  const host = new FakePwaHost({ isIos: scene.isIos ?? false });
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
      fetch: galleryFetch(scene.answers ?? 'data', scene.api ?? {}, Date.now()),
      openSocket: new FakeSockets().open,
      connectivity: new FakeConnectivity(),
      devicePermissions: permissions,
      localStorage: new MemoryStorage(scene.visitor ? {} : signedIn(scene.as ?? 'man')),
      sessionStorage: new MemoryStorage(scene.visitor ? {} : { u_id: 'me' }),
    },
    cookies: memoryCookieJar({
      ringback_locale: search.get('locale') ?? 'zh-Hant',
      ringback_theme: search.get('theme') ?? 'dark',
      ...(!scene.isFirstCall && { ringback_devices_checked: '1' }),
    }),
    browserLanguages: [],
    pageUrl: location.href,
    loadCallingLibrary: () => Promise.resolve(library),
    host,
    workerUrl: null,
    loadPushModule: () => Promise.reject(new Error('The gallery has no push')),
  });
  const Board = (await scene.board?.())?.default;
  services.start(() => {});
  followLook(services);
  createRoot(root).render(
    <ServicesProvider value={services}>
      <MemoryRouter initialEntries={[scene.path]}>
        <App {...(Board && { screens: <Board /> })} />
      </MemoryRouter>
    </ServicesProvider>,
  );
  // A turn later: the calling service is there only when its promises are kept.
  setTimeout(() => {
    if (scene.offline && services.ports.connectivity instanceof FakeConnectivity)
      services.ports.connectivity.set(false);
    performance.mark('scene-played');
    scene.play?.({ services, library, host, permissions });
  }, 300);
}

const signedIn = (kind: GenderType) => ({
  token: 'gallery-token',
  u_id: 'me',
  gender_type: kind,
  calling_user_id: 'me',
  calling_access_token: 'gallery',
});

async function remoteStream({ remote = 'landscape' }: Scene): Promise<MediaStream> {
  switch (remote) {
    case 'portrait':
      return await swayingPortrait('/portraits/yu-an.svg', 360, 640);
    case 'landscape':
      return await swayingPortrait('/portraits/yu-an.svg', 640, 360);
    case 'white':
    case 'black':
      return await swayingPortrait(`data:image/svg+xml,${encodeURIComponent(blank(remote))}`, 640, 360);
    default:
      return remote satisfies never;
  }
}

function blank(colour: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="600" height="800"><rect width="600" height="800" fill="${colour}"/></svg>`;
}

function Contents() {
  return (
    <ul style={{ columns: '16em', padding: 24 }}>
      {Object.keys(scenes).map((name) => (
        <li key={name}>
          <a href={`?scene=${name}`}>{name}</a>
        </li>
      ))}
    </ul>
  );
}

const root = document.getElementById('root');
if (root !== null) await show(root, new URLSearchParams(location.search));
