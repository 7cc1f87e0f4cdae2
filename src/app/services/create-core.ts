import type { DisposalStack } from '../core/disposal/disposal-stack.ts';
import { type ReadEvent, createEventClient } from '../core/events/event-client.ts';
import { type ReaderLoader, createReaderLoader } from '../core/events/reader-loader.ts';
import type { EventsArea, PreferencesArea, ProductArea, SessionArea, TicksArea } from '../core/hooks/areas.ts';
import { createLocalePreference } from '../core/i18n/locale.ts';
import { m } from '../core/i18n/generated/messages.js';
import type { Ports } from '../core/ports/browser-ports.ts';
import { createSoundPreference } from '../core/preferences/sound.ts';
import { createThemePreference } from '../core/preferences/theme.ts';
import { createPresenceSocket } from '../core/presence/presence-socket.ts';
import { createProductClient } from '../core/product/product-client.ts';
import { createRequestKeys } from '../core/product/request-keys.ts';
import { createSession } from '../core/session/session.ts';
import { createUserContext } from '../core/session/user-context.ts';
import { MINUTE_MS, SECOND_MS, createTicks } from '../../common/ticks.ts';
import type { Toasts } from '../../ui/toasts/toasts.ts';
import type { ServiceOptions } from './service-options.ts';

/** The services that every feature uses. */
export interface CoreServices extends ProductArea, SessionArea, EventsArea, PreferencesArea, TicksArea {
  readonly ports: Ports;
  /** The loader of the parser of live events. */
  readonly reader: ReaderLoader;
}

type CoreOptions = Pick<ServiceOptions, 'config' | 'cookies' | 'browserLanguages' | 'pageUrl' | 'loadEventReader'> & {
  readonly ports: Ports;
  readonly toasts: Pick<Toasts, 'show'>;
};

/** Creates the services that every feature uses, and adds their disposal to the stack. */
export function createCore(options: CoreOptions, disposal: DisposalStack): CoreServices {
  const { config, cookies, ports } = options;
  // The token is that of this page's user. The storage may hold the token of another tab's user.
  const product = createProductClient(config.api_url, ports.fetch, () => session.token());
  const user = createUserContext(ports.localStorage);
  const session = disposal.keep(
    createSession({
      ...ports,
      product,
      user,
      // The session may have been ended on another device while the user was working.
      onRefused: () => options.toasts.show(m.refusal_signed_out()),
    }),
  );
  const presence = disposal.keep(
    createPresenceSocket({
      ...ports,
      wsUrl: config.ws_url,
      loginFlag: session.loginFlag,
      userId: () => user.user.get().uId,
      token: session.token,
      checkSession: session.check,
    }),
  );

  return {
    ports,
    product,
    requestKeys: createRequestKeys(ports),
    imageBase: URL.canParse(config.api_url, options.pageUrl)
      ? new URL(config.api_url, options.pageUrl).href
      : options.pageUrl,
    user,
    session,
    presence,
    ...createLiveEvents(options, session, disposal),
    locale: createLocalePreference(cookies, options.browserLanguages),
    theme: createThemePreference(cookies),
    sound: createSoundPreference(cookies),
    seconds: createTicks(ports.clock, SECOND_MS),
    minutes: createTicks(ports.clock, MINUTE_MS),
  };
}

/** Creates the client of live events, which starts when their parser is loaded. */
function createLiveEvents(
  { config, loadEventReader, ports }: CoreOptions,
  session: SessionArea['session'],
  disposal: DisposalStack,
): Pick<CoreServices, 'events' | 'reader'> {
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
    load: loadEventReader,
    onLoaded(read) {
      readEvent = read;
      events.start();
    },
  });
  disposal.add(events.stop, reader.stop);
  return { events, reader };
}
