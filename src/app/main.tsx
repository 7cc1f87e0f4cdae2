import '../ui/design/tokens.css';
import '../ui/design/base.css';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router-dom';
import type { AppConfig } from '../protocol/product/config.ts';
import { loadCallingLibrary } from './features/calling/load-calling-library.ts';
import { loadEventReader } from './core/events/load-event-reader.ts';
import { readConfig } from './core/config/read-config.ts';
import { createLocalePreference } from './core/i18n/locale.ts';
import { browserPorts } from './core/ports/browser-ports.ts';
import { browserCookieJar } from './core/preferences/cookie-jar.ts';
import { browserPwaHost } from './features/pwa/pwa-host.ts';
import { loadPushModule } from './features/push/load-push-module.ts';
import { ServicesProvider } from './services/services-provider.tsx';
import { createServices } from './services/services.ts';
import { App } from './routes/shell/app.tsx';
import { ConfigBroken } from './routes/shell/config-broken.tsx';
import { isOpenToVisitors } from './routes/shell/screens.tsx';

declare global {
  var __CONFIG__: unknown;
}

function start(root: HTMLElement): void {
  const ports = browserPorts();
  const cookies = browserCookieJar(document);
  let config: AppConfig;
  try {
    config = readConfig(globalThis);
  } catch (error) {
    ports.logger.error('the app cannot start', error);
    createLocalePreference(cookies, navigator.languages);
    createRoot(root).render(<ConfigBroken />);
    return;
  }

  const services = createServices({
    config,
    ports,
    cookies,
    browserLanguages: navigator.languages,
    pageUrl: location.href,
    loadCallingLibrary,
    loadEventReader,
    host: browserPwaHost(),
    // A development server has no built files to cache.
    workerUrl: import.meta.env.PROD ? '/sw.js' : null,
    loadPushModule: (url) => loadPushModule(document, url),
  });
  services.admit((path) => history.replaceState(null, '', path), isOpenToVisitors(location.pathname));
  addEventListener('pagehide', (event) => {
    if (!event.persisted) services.dispose();
  });

  // A transition renders in slices. On a phone the first render takes longer than a touch may wait.
  startTransition(() =>
    createRoot(root).render(
      <StrictMode>
        <ServicesProvider services={services}>
          <BrowserRouter>
            <App />
          </BrowserRouter>
        </ServicesProvider>
      </StrictMode>,
    ),
  );
  // Work without visible effect runs in a separate task.
  setTimeout(() => services.start());
}

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');
// A separate task: loading the code and starting the app would otherwise be one long task.
setTimeout(() => start(root));
