import type { DisposalStack } from '../core/disposal/disposal-stack.ts';
import { createProductClient } from '../core/product/product-client.ts';
import { createCallBilling } from '../features/calling/call-billing.ts';
import { createCallingService } from '../features/calling/calling-service.ts';
import { createDialer } from '../features/calling/dialer.ts';
import { createIncomingQuote } from '../features/calling/incoming-quote.ts';
import { createCallDock } from '../features/calling/overlays/dock/call-dock.ts';
import type { CallingArea } from '../features/calling/use-calling.ts';
import { choosePushProvider } from '../features/push/choose-provider.ts';
import { createPushRegistrar } from '../features/push/push-registration.ts';
import { type Push, createPush } from '../features/push/push.ts';
import { type Pwa, createPwa } from '../features/pwa/pwa.ts';
import type { UiArea } from '../ui/use-ui.ts';
import type { CoreServices } from './create-core.ts';
import type { ServiceOptions } from './service-options.ts';

/** Creates the services of calls, and adds their disposal to the stack. */
export function createCalling(options: ServiceOptions, core: CoreServices, disposal: DisposalStack): CallingArea {
  const { events, ports, product, session, sound } = core;
  const { connectivity, clock, random, logger } = ports;
  const calling = createCallingService({
    service: () => ({
      appId: options.config.app_id,
      apiHost: options.config.calling_api_url,
      websocketHost: options.config.calling_ws_url,
    }),
    volume: sound.volume,
    load: options.loadCallingLibrary,
    credentials: session.callingCredentials,
    // The access token belongs to the session of the product. If that session has ended, this page signs out.
    onRefused: () => void session.check(),
    connectivity,
    live: events.isOpen,
    clock,
    random,
    logger,
  });
  disposal.add(calling.stop);
  const billing = createCallBilling();
  events.on('call_billing', billing.apply);
  return {
    calling,
    dialer: createDialer({ calling, product, cookies: options.cookies, logger }),
    incomingQuote: createIncomingQuote({ calling, product, logger }),
    callDock: createCallDock(calling.state),
    billing,
  };
}

/** Creates what the app does outside of its page, and adds the disposal to the stack. */
export function createOutsideOfPage(
  options: ServiceOptions,
  core: CoreServices,
  { dialogs, toasts }: UiArea,
  { calling }: CallingArea,
  disposal: DisposalStack,
): { readonly pwa: Pwa; readonly push: Push } {
  const { events, imageBase, locale, ports, product, session, user } = core;
  const { config } = options;
  const outside = { ...options, ...ports, calling, dialogs, toasts, imageBase };
  const pwa = disposal.keep(createPwa({ ...outside, locale: locale.locale }));
  const push = disposal.keep(
    createPush({
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
    }),
  );
  events.on('push', ({ payload }) => push.receive(payload));
  return { pwa, push };
}
