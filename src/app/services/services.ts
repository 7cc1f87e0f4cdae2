import type { Quote } from '../../protocol/product/calls.ts';
import type { AppConfig } from '../../protocol/product/config.ts';
import { type CallBilling, createCallBilling } from '../features/calling/call-billing.ts';
import { type CallingService, createCallingService } from '../features/calling/calling-service.ts';
import { isLive } from '../features/calling/call-state.ts';
import { type Dialer, createDialer } from '../features/calling/dialer.ts';
import { createIncomingQuote } from '../features/calling/incoming-quote.ts';
import type { CallingLibrary } from '../features/calling/calling-library.ts';
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

/** Everything that lives as long as the page and is not a picture. Built once, in main.tsx. */
export interface Services {
  readonly ports: Ports;
  readonly product: ProductClient;
  readonly user: UserContext;
  readonly session: Session;
  readonly presence: PresenceSocket;
  readonly events: EventClient;
  /** What was written in chats and is not sent yet. */
  readonly outbox: Outbox;
  readonly requestKeys: RequestKeys;
  readonly demoUsers: DemoUsersStore;
  readonly calling: CallingService;
  readonly dialer: Dialer;
  /** What the call that rings costs or brings; null until that is known. */
  readonly incomingQuote: ReadableStore<Quote | null>;
  readonly queries: QueryKeeper;
  /** Questions and notices above every screen. */
  readonly dialogs: Dialogs;
  /** The app's own dialogs, whether `dialogs` is they or not. */
  readonly appDialogs: AppDialogs;
  /** Short messages that disappear after a time. */
  readonly toasts: Toasts;
  readonly pwa: Pwa;
  readonly push: Push;
  /** What the frame shows beside its tabs; whoever knows a number sets it. */
  readonly counts: Store<FrameCounts>;
  readonly callDock: CallDock;
  readonly billing: CallBilling;
  readonly locale: LocalePreference;
  readonly theme: ThemePreference;
  readonly sound: SoundPreference;
  readonly seconds: ReadableStore<number>;
  readonly minutes: ReadableStore<number>;
  readonly online: ReadableStore<boolean>;
  /** What was logged last. */
  readonly log: Pick<KeptLog, 'lines'>;
  /** Whose settings the user has to find their way in. */
  readonly browser: BrowserKind;
  /** What a relative picture address is relative to. */
  readonly imageBase: string;
  /** Starts the session (app-shell §4): before the first picture, so that a visitor never sees a screen that is not theirs. */
  admit(goTo: (path: string) => void, isOpenToVisitors: boolean): void;
  /** Everything that follows the user from then on. */
  start(): void;
  dispose(): void;
}

export interface ServiceOptions {
  config: AppConfig;
  ports: Ports;
  cookies: CookieJar;
  browserLanguages: readonly string[];
  pageUrl: string;
  loadCallingLibrary(): Promise<CallingLibrary>;
  /** Loads what understands live events, which a visitor does without. */
  loadEventReader(): Promise<ReadEvent>;
  /** What the browser gives an app beyond a page. */
  host: PwaHost;
  /** Where the service worker is; `null` where there is none to be had, as while developing. */
  workerUrl: string | null;
  /** Loads the module that a deployment with Firebase names. */
  loadPushModule(url: string): Promise<FcmModule>;
  /** In the place of the app's own: `windowDialogs(window)` for the browser's. */
  dialogs?: Dialogs;
}

export function createServices(options: ServiceOptions): Services {
  const { config } = options;
  const log = keepLog(options.ports.logger, options.ports.clock);
  const ports = { ...options.ports, logger: log };
  // Of the user that this page shows, never of the storage, where another tab may have put another user's.
  const product = createProductClient(config.api_url, ports.fetch, () => session.token());
  const user = createUserContext(ports.localStorage);
  const toasts = createToasts(ports.clock);
  const session = createSession({
    ...ports,
    product,
    user,
    // It may have been ended on another device, in the middle of whatever somebody does here.
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

  /** Live events, calls and what was read belong to whoever is signed in, and go with them. */
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
      // The push token of this device is now the other user's.
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

  /** Another user has signed in in another tab: this page stops, after the call that it may be in. */
  function leaveReplaced(): void {
    const { active, held } = calling.state.get();
    if (session.replacedBy.get() !== null && !isLive(active) && held.length === 0) session.leave();
  }
  const unreplace = [session.replacedBy.subscribe(leaveReplaced), calling.state.subscribe(leaveReplaced)];

  /** What waits for the user, on the icon of the app. */
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
