import { createDisposalStack } from '../core/disposal/disposal-stack.ts';
import { type Store, createStore } from '../../common/store.ts';
import { type DemoUsersStore, createDemoUsersStore } from '../features/account/demo-users-store.ts';
import type { CallingArea } from '../features/calling/use-calling.ts';
import { createOutbox, type ChatArea } from '../features/chat/outbox.ts';
import { type BrowserKind, browserKind } from '../features/devices/browser-kind.ts';
import { type KeptLog, keepLog } from '../features/diagnostics/kept-log.ts';
import type { Push } from '../features/push/push.ts';
import { warnInWebview } from '../features/push/webview-warning.ts';
import type { Pwa } from '../features/pwa/pwa.ts';
import { type FrameCounts, NO_COUNTS } from '../features/shell/frame-counts.ts';
import { createQueryKeeper } from '../ui/data/query-keeper.ts';
import { createDialogs } from '../../ui/dialogs/dialogs.ts';
import { createToasts } from '../../ui/toasts/toasts.ts';
import type { UiArea } from '../ui/use-ui.ts';
import { type CoreServices, createCore } from './create-core.ts';
import { createCalling, createOutsideOfPage } from './create-features.ts';
import { followUser } from './follow-user.ts';
import type { ServiceOptions } from './service-options.ts';

/**
 * The services of all areas. They live as long as the page, and main.tsx creates them once. A screen gets those of an
 * area by the hook of that area.
 */
export interface Services extends CoreServices, UiArea, CallingArea, ChatArea {
  readonly demoUsers: DemoUsersStore;
  readonly pwa: Pwa;
  readonly push: Push;
  /** The numbers beside the tabs of the frame. */
  readonly counts: Store<FrameCounts>;
  /** The last lines of the log. */
  readonly log: Pick<KeptLog, 'lines'>;
  /** The browser of the user, which decides which permission steps are shown. */
  readonly browser: BrowserKind;
  /**
   * Starts the session (app-shell §4). It runs before the first render, so that a visitor never sees a screen of users.
   */
  admit(goTo: (path: string) => void, isOpenToVisitors: boolean): void;
  /** Starts everything that follows the user. */
  start(): void;
  /** Disposes the services, the last one first. */
  dispose(): void;
}

/** Creates and connects the services. The caller calls `admit`, then `start`, and `dispose` at the end. */
export function createServices(options: ServiceOptions): Services {
  const disposal = createDisposalStack();
  const log = keepLog(options.ports.logger, options.ports.clock);
  const ports = { ...options.ports, logger: log };
  const appDialogs = createDialogs();
  const ui = {
    dialogs: options.dialogs ?? appDialogs,
    appDialogs,
    toasts: disposal.keep(createToasts(ports.clock)),
    queries: createQueryKeeper(),
  };
  const core = createCore({ ...options, ports, toasts: ui.toasts }, disposal);
  const { product, session } = core;
  const outbox = disposal.keep(createOutbox({ ...ports, product }));
  const calling = createCalling(options, core, disposal);
  const outside = createOutsideOfPage(options, core, ui, calling, disposal);
  const counts = createStore<FrameCounts>(NO_COUNTS);
  const services = { ...core, ...ui, ...calling, ...outside, outbox, log, counts };
  const startUser = followUser(services, disposal);

  return {
    ...services,
    demoUsers: createDemoUsersStore(product, log),
    browser: browserKind(options.host.userAgent, options.host.isIos),
    admit: session.start,
    start() {
      outside.pwa.start();
      void warnInWebview({ ...options, ...options.host, ...ui, logger: log });
      if (session.token() !== null) startUser();
    },
    dispose: disposal.dispose,
  };
}
