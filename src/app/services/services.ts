import type { Quote } from '../../protocol/product/calls.ts';
import type { AppConfig } from '../../protocol/product/config.ts';
import { type CallBilling, createCallBilling } from '../features/calling/call-billing.ts';
import { type CallingService, createCallingService } from '../features/calling/calling-service.ts';
import { isLive } from '../features/calling/call-state.ts';
import { type Dialer, createDialer } from '../features/calling/dialer.ts';
import { createIncomingQuote } from '../features/calling/incoming-quote.ts';
import type { CallingLibrary } from '../features/calling/library/calling-library.ts';
import { type KeptLog, keepLog } from '../features/diagnostics/kept-log.ts';
import { type BrowserKind, browserKind } from '../features/devices/browser-kind.ts';
import { type AppDialogs, type Dialogs, createDialogs } from '../ui/dialogs/dialogs.ts';
import { type Outbox, createOutbox } from '../features/chat/outbox.ts';
import { countCoins } from '../features/money/wallet/count-coins.ts';
import { countUnread } from '../features/chat/unread.ts';
import { type QueryKeeper, createQueryKeeper } from '../ui/data/query-keeper.ts';
import { type EventClient, type ReadEvent, createEventClient } from '../core/events/event-client.ts';
import { createReaderLoader } from '../core/events/reader-loader.ts';
import { type LocalePreference, createLocalePreference } from '../core/i18n/locale.ts';
import type { Ports } from '../core/ports/browser-ports.ts';
import { type CallDock, createCallDock } from '../features/calling/overlays/dock/call-dock.ts';
import type { PwaHost } from '../features/pwa/pwa-host.ts';
import { type Pwa, createPwa } from '../features/pwa/pwa.ts';
import { choosePushProvider } from '../features/push/choose-provider.ts';
import type { FcmModule } from '../features/push/fcm-provider.ts';
import { type Push, createPush } from '../features/push/push.ts';
import { createPushRegistrar } from '../features/push/push-registrar.ts';
import { warnInWebview } from '../features/push/webview-warning.ts';
import type { CookieJar } from '../core/preferences/cookie-jar.ts';
import { type SoundPreference, createSoundPreference } from '../core/preferences/sound.ts';
import { type ThemePreference, createThemePreference } from '../core/preferences/theme.ts';
import { type PresenceSocket, createPresenceSocket } from '../core/presence/presence-socket.ts';
import { type ProductClient, createProductClient } from '../core/product/product-client.ts';
import { type RequestKeys, createRequestKeys } from '../core/product/request-keys.ts';
import { type DemoUsersStore, createDemoUsersStore } from '../features/account/login/demo-users-store.ts';
import { type Session, createSession } from '../core/session/session.ts';
import { type UserContext, createUserContext } from '../core/session/user-context.ts';
import { type FrameCounts, NO_COUNTS } from '../features/shell/frame-counts.ts';
import { type ReadableStore, type Store, createStore } from '../core/store/store.ts';
import { m } from '../core/i18n/generated/messages.js';
import { type Toasts, createToasts } from '../ui/toasts/toasts.ts';
import { MINUTE_MS, SECOND_MS, createTicks } from '../core/time/ticks.ts';

/** The services that live as long as the page. main.tsx creates them once. */
export interface Services {
  readonly ports: Ports;
  readonly product: ProductClient;
  readonly user: UserContext;
  readonly session: Session;
  readonly presence: PresenceSocket;
  readonly events: EventClient;
  /** The messages that the user wrote in chats and that are not sent yet. */
  readonly outbox: Outbox;
  readonly requestKeys: RequestKeys;
  readonly demoUsers: DemoUsersStore;
  readonly calling: CallingService;
  readonly dialer: Dialer;
  /** The price or the earnings of the ringing call. Null until they are known. */
  readonly incomingQuote: ReadableStore<Quote | null>;
  readonly queries: QueryKeeper;
  /** The questions and notices above every screen. */
  readonly dialogs: Dialogs;
  /** The app's own dialogs, even when `dialogs` are the browser's. */
  readonly appDialogs: AppDialogs;
  /** Short messages that disappear after a time. */
  readonly toasts: Toasts;
  readonly pwa: Pwa;
  readonly push: Push;
  /** The numbers beside the tabs of the frame. */
  readonly counts: Store<FrameCounts>;
  readonly callDock: CallDock;
  readonly billing: CallBilling;
  readonly locale: LocalePreference;
  readonly theme: ThemePreference;
  readonly sound: SoundPreference;
  readonly seconds: ReadableStore<number>;
  readonly minutes: ReadableStore<number>;
  readonly online: ReadableStore<boolean>;
  /** The last lines of the log. */
  readonly log: Pick<KeptLog, 'lines'>;
  /** The browser of the user, which decides which permission steps are shown. */
  readonly browser: BrowserKind;
  /** The base address of relative picture addresses. */
  readonly imageBase: string;
  /**
   * Starts the session (app-shell §4). It runs before the first render, so that a visitor never sees a screen of users.
   */
  admit(goTo: (path: string) => void, isOpenToVisitors: boolean): void;
  /** Starts everything that follows the user. */
  start(): void;
  dispose(): void;
}

/** The settings, the ports and the loaders of the services. */
export interface ServiceOptions {
  config: AppConfig;
  ports: Ports;
  cookies: CookieJar;
  browserLanguages: readonly string[];
  pageUrl: string;
  loadCallingLibrary(): Promise<CallingLibrary>;
  /** Loads the parser of live events. The page of a visitor does not need it. */
  loadEventReader(): Promise<ReadEvent>;
  /** The browser's functions for installed apps. */
  host: PwaHost;
  /** The address of the service worker. Null without one, as on the development server. */
  workerUrl: string | null;
  /** Loads the module that a deployment with Firebase names. */
  loadPushModule(url: string): Promise<FcmModule>;
  /** The dialogs to use. Default: the app's own. `windowDialogs(window)` uses the browser's. */
  dialogs?: Dialogs;
}

/** Creates and connects the services. The caller calls `admit`, then `start`, and `dispose` at the end. */
export function createServices(options: ServiceOptions): Services {
  const { config } = options;
  const log = keepLog(options.ports.logger, options.ports.clock);
  const ports = { ...options.ports, logger: log };
  // The token is that of this page's user. The storage may hold the token of another tab's user.
  const product = createProductClient(config.api_url, ports.fetch, () => session.token());
  const user = createUserContext(ports.localStorage);
  const toasts = createToasts(ports.clock);
  const session = createSession({
    ...ports,
    product,
    user,
    // The session may have been ended on another device while the user was working.
    onRefused: () => toasts.show(m.refusal_signed_out()),
  });
  const presence = createPresenceSocket({
    ...ports,
    wsUrl: config.ws_url,
    loginFlag: session.loginFlag,
    userId: () => user.user.get().uId,
    token: session.token,
    checkSession: session.check,
  });
  let readEvent: ReadEvent = () => null;
  const events = createEventClient({
    ...ports,
    wsUrl: config.ws_url,
    token: session.token,
    checkSession: session.check,
    readEvent: (value) => readEvent(value),
  });
  const reader = createReaderLoader({
    ...ports,
    load: options.loadEventReader,
    onLoaded(read) {
      readEvent = read;
      events.start();
    },
  });
  const outbox = createOutbox({ ...ports, product });
  const sound = createSoundPreference(options.cookies);
  const calling = createCallingService({
    config,
    volume: sound.volume,
    loadLibrary: options.loadCallingLibrary,
    credentials: session.callingCredentials,
    checkSession: session.check,
    connectivity: ports.connectivity,
    live: events.isOpen,
    clock: ports.clock,
    random: ports.random,
    logger: ports.logger,
  });

  const billing = createCallBilling();
  const appDialogs = createDialogs();
  const queries = createQueryKeeper();
  const dialogs = options.dialogs ?? appDialogs;
  const counts = createStore<FrameCounts>(NO_COUNTS);
  const locale = createLocalePreference(options.cookies, options.browserLanguages);
  const imageBase = URL.canParse(config.api_url, options.pageUrl)
    ? new URL(config.api_url, options.pageUrl).href
    : options.pageUrl;
  const outside = { ...ports, ...options, calling, dialogs, toasts, imageBase };
  const pwa = createPwa({ ...outside, locale: locale.locale });
  const push = createPush({
    ...outside,
    locale: locale.locale.get,
    provider: choosePushProvider(config.push, {
      globals: options.host.globals,
      clock: ports.clock,
      load: options.loadPushModule,
    }),
    registrar: createPushRegistrar({
      push: config.push,
      product,
      productAs: (bearer) => createProductClient(config.api_url, ports.fetch, () => bearer),
    }),
    bearer: session.token,
    userId: () => user.user.get().uId,
  });
  const dialer = createDialer({ calling, product, cookies: options.cookies, logger: ports.logger });
  const requestKeys = createRequestKeys(ports);
  let present: string | null = null;

  /** Starts and stops live events, calls and cached answers with the user that they belong to. */
  function followUser(): void {
    const { uId } = user.user.get();
    if (uId === present) return;
    if (present !== null) {
      calling.stop();
      dialer.clear();
      log.clear();
      billing.clear();
      reader.stop();
      events.stop();
      outbox.stop();
      queries.forget();
      requestKeys.clear();
      counts.set(NO_COUNTS);
      // After a replacement, the push token of this device belongs to the other user.
      if (session.replacedBy.get() === null) push.signedOut();
      else push.stop();
    }
    present = uId;
    if (uId === null) return;
    reader.start();
    outbox.start(uId);
    void calling.start();
    void push.start();
  }

  /** Stops this page when another user has signed in in another tab. A call in progress ends first. */
  function leaveReplaced(): void {
    const { active, held } = calling.state.get();
    if (session.replacedBy.get() !== null && !isLive(active) && held.length === 0) session.leave();
  }
  const unreplace = [session.replacedBy.subscribe(leaveReplaced), calling.state.subscribe(leaveReplaced)];

  /** Shows the number of unread messages on the icon of the app. */
  const unbadge = counts.subscribe(() => pwa.setBadge(counts.get().unread ?? 0));

  const unfollow = user.user.subscribe(followUser);
  events.on('push', ({ payload }) => push.receive(payload));
  events.on('call_billing', billing.apply);
  countUnread({
    product,
    events,
    logger: ports.logger,
    onCount: (unread) => counts.update((known) => ({ ...known, unread })),
  });
  countCoins({
    product,
    events,
    logger: ports.logger,
    isMan: () => user.user.get().genderType === 'man',
    onCoins: (coins) => counts.update((known) => ({ ...known, coins })),
  });
  events.on('resync', () => {
    queries.askAgain();
    outbox.flush();
  });

  return {
    ports,
    product,
    user,
    session,
    presence,
    events,
    outbox,
    requestKeys,
    demoUsers: createDemoUsersStore(product, ports.logger),
    calling,
    dialer,
    incomingQuote: createIncomingQuote({ calling, product, logger: ports.logger }),
    queries,
    dialogs,
    appDialogs,
    toasts,
    pwa,
    push,
    counts,
    callDock: createCallDock(calling.state),
    locale,
    billing,
    log,
    theme: createThemePreference(options.cookies),
    sound,
    seconds: createTicks(ports.clock, SECOND_MS),
    minutes: createTicks(ports.clock, MINUTE_MS),
    online: { get: ports.connectivity.isOnline, subscribe: ports.connectivity.subscribe },
    browser: browserKind(options.host.userAgent, options.host.isIos),
    imageBase,
    admit: session.start,
    start() {
      pwa.start();
      void warnInWebview({ ...outside, ...options.host });
      if (session.token() !== null) followUser();
    },
    dispose() {
      unfollow();
      for (const undo of unreplace) undo();
      unbadge();
      pwa.dispose();
      push.dispose();
      session.dispose();
      calling.stop();
      reader.stop();
      events.stop();
      outbox.dispose();
      toasts.dispose();
      presence.dispose();
    },
  };
}
