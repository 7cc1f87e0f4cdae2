import type { AppConfig } from '../../protocol/product.ts';
import { type CallingService, createCallingService } from '../calling/calling-service.ts';
import type { CallingLibrary } from '../calling/calling-library.ts';
import { type LocalePreference, createLocalePreference } from '../i18n/locale.ts';
import { type PeopleStore, createPeopleStore } from '../people/people-store.ts';
import type { Ports } from '../ports/browser-ports.ts';
import type { CookieJar } from '../preferences/cookie-jar.ts';
import { type ThemePreference, createThemePreference } from '../preferences/theme.ts';
import { createPresenceEvents } from '../presence/presence-events.ts';
import { type PresenceSocket, createPresenceSocket } from '../presence/presence-socket.ts';
import { type ProductClient, createProductClient } from '../product/product-client.ts';
import { type DemoUsersStore, createDemoUsersStore } from '../screens/login/demo-users-store.ts';
import { type Session, createSession } from '../session/session.ts';
import { type UserContext, createUserContext } from '../session/user-context.ts';
import type { ReadableStore } from '../store/store.ts';
import { MINUTE_MS, SECOND_MS, createTicks } from '../time/ticks.ts';

/** Everything that lives as long as the page and is not a picture. Built once, in main.tsx. */
export interface Services {
  readonly ports: Ports;
  readonly product: ProductClient;
  readonly user: UserContext;
  readonly session: Session;
  readonly presence: PresenceSocket;
  readonly people: PeopleStore;
  readonly demoUsers: DemoUsersStore;
  readonly calling: CallingService;
  readonly locale: LocalePreference;
  readonly theme: ThemePreference;
  readonly seconds: ReadableStore<number>;
  readonly minutes: ReadableStore<number>;
  readonly online: ReadableStore<boolean>;
  /** What a relative picture address is relative to. */
  readonly imageBase: string;
  /** Session start (app-shell §4) and everything that follows the user from then on. */
  start(goTo: (path: string) => void): void;
  dispose(): void;
}

export interface ServiceOptions {
  config: AppConfig;
  ports: Ports;
  cookies: CookieJar;
  browserLanguages: readonly string[];
  pageUrl: string;
  loadCallingLibrary(): Promise<CallingLibrary>;
}

export function createServices(options: ServiceOptions): Services {
  const { config, ports } = options;
  const product = createProductClient(config.api_url, ports.fetch);
  const user = createUserContext(ports.localStorage);
  const session = createSession({ ...ports, product, user });
  const presence = createPresenceSocket({ ...ports, wsUrl: config.ws_url, loginFlag: session.loginFlag });
  const people = createPeopleStore({ product, token: session.token, logger: ports.logger });
  const events = createPresenceEvents({
    ...ports,
    wsUrl: config.ws_url,
    token: session.token,
    onOpen: () => void people.load(),
    onChange: people.apply,
  });
  const calling = createCallingService({
    config,
    loadLibrary: options.loadCallingLibrary,
    localStorage: ports.localStorage,
    connectivity: ports.connectivity,
    clock: ports.clock,
    logger: ports.logger,
  });

  let present: string | null = null;

  /** People, live events and calls belong to whoever is signed in, and go with them. */
  function followUser(): void {
    const { uId } = user.user.get();
    if (uId === present) return;
    if (present !== null) {
      calling.stop();
      events.stop();
      people.clear();
    }
    present = uId;
    if (uId === null) return;
    void people.load();
    events.start();
    void calling.start();
  }

  const unfollow = user.user.subscribe(followUser);

  return {
    ports,
    product,
    user,
    session,
    presence,
    people,
    demoUsers: createDemoUsersStore(product, ports.logger),
    calling,
    locale: createLocalePreference(options.cookies, options.browserLanguages),
    theme: createThemePreference(options.cookies),
    seconds: createTicks(ports.clock, SECOND_MS),
    minutes: createTicks(ports.clock, MINUTE_MS),
    online: { get: ports.connectivity.isOnline, subscribe: ports.connectivity.subscribe },
    imageBase: URL.canParse(config.api_url, options.pageUrl)
      ? new URL(config.api_url, options.pageUrl).href
      : options.pageUrl,
    start(goTo) {
      session.start(goTo);
      if (session.token() !== null) followUser();
    },
    dispose() {
      unfollow();
      session.dispose();
      calling.stop();
      events.stop();
      presence.dispose();
    },
  };
}
