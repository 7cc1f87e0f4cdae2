import '../design/tokens.css';
import '../design/base.css';
import { createRoot } from 'react-dom/client';
import { MemoryRouter } from 'react-router-dom';
import { FakeCallingLibrary } from '../fakes/fake-calling-library.ts';
import { FakeConnectivity } from '../fakes/fake-connectivity.ts';
import { FakeSockets } from '../fakes/fake-sockets.ts';
import { memoryCookieJar } from '../fakes/memory-cookie-jar.ts';
import { MemoryStorage } from '../fakes/memory-storage.ts';
import { browserPorts } from '../ports/browser-ports.ts';
import { ServicesProvider } from '../services/services-context.ts';
import { createServices } from '../services/services.ts';
import { App } from '../shell/app.tsx';
import { galleryFetch } from './gallery-server.ts';
import { swayingPortrait } from './gallery-streams.ts';
import { type Scene, scenes } from './scenes.ts';

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
      fetch: galleryFetch(scene.answers ?? 'data', Date.now()),
      openSocket: new FakeSockets().open,
      connectivity: new FakeConnectivity(),
      localStorage: new MemoryStorage(scene.visitor ? {} : signedIn),
      sessionStorage: new MemoryStorage(scene.visitor ? {} : { u_id: 'me' }),
    },
    cookies: memoryCookieJar({
      ringback_locale: search.get('locale') ?? 'zh-Hant',
      ringback_theme: search.get('theme') ?? 'dark',
    }),
    browserLanguages: [],
    pageUrl: location.href,
    loadCallingLibrary: () => Promise.resolve(library),
  });
  services.start(() => {});
  createRoot(root).render(
    <ServicesProvider value={services}>
      <MemoryRouter initialEntries={[scene.path]}>
        <App />
      </MemoryRouter>
    </ServicesProvider>,
  );
  // A turn later: the calling service is there only when its promises are kept.
  setTimeout(() => {
    if (scene.offline && services.ports.connectivity instanceof FakeConnectivity)
      services.ports.connectivity.set(false);
    scene.play?.({ services, library });
  }, 300);
}

const signedIn = {
  token: 'gallery-token',
  u_id: 'me',
  gender_type: 'man',
  calling_user_id: 'me',
  calling_access_token: 'gallery',
};

async function remoteStream({ remote = 'landscape' }: Scene): Promise<MediaStream> {
  switch (remote) {
    case 'portrait':
      return await swayingPortrait('/portraits/yu-an.svg', 360, 640);
    case 'landscape':
      return await swayingPortrait('/portraits/yu-an.svg', 640, 360);
    case 'white':
      return await swayingPortrait(`data:image/svg+xml,${encodeURIComponent(WHITE)}`, 640, 360);
    default:
      return remote satisfies never;
  }
}

const WHITE =
  '<svg xmlns="http://www.w3.org/2000/svg" width="600" height="800"><rect width="600" height="800" fill="#fff"/></svg>';

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
