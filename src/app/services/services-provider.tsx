import type { ReactNode } from 'react';
import {
  EventsProvider,
  PortsProvider,
  PreferencesProvider,
  ProductProvider,
  SessionProvider,
  TicksProvider,
} from '../core/hooks/areas.ts';
import { RingbackContext } from '../../react/index.ts';
import { DemoUsersProvider } from '../features/account/demo-users-store.ts';
import { CallingProvider } from '../features/calling/use-calling.ts';
import { ChatProvider } from '../features/chat/outbox.ts';
import { BrowserKindProvider } from '../features/devices/browser-kind.ts';
import { LogProvider } from '../features/diagnostics/kept-log.ts';
import { PushAreaProvider } from '../features/push/push.ts';
import { PwaProvider } from '../features/pwa/pwa.ts';
import { FrameCountsProvider } from '../features/shell/frame-counts.ts';
import { UiProvider } from '../ui/use-ui.ts';
import type { Services } from './services.ts';

interface ServicesProviderProps {
  services: Services;
  children: ReactNode;
}

/** Provides the services of each area to the screens. */
export function ServicesProvider({ services, children }: ServicesProviderProps) {
  return (
    <CoreProvider services={services}>
      <UiProvider value={services}>
        <FeaturesProvider services={services}>{children}</FeaturesProvider>
      </UiProvider>
    </CoreProvider>
  );
}

function CoreProvider({ services, children }: ServicesProviderProps) {
  return (
    <PortsProvider value={services.ports}>
      <ProductProvider value={services}>
        <SessionProvider value={services}>
          <EventsProvider value={services}>
            <PreferencesProvider value={services}>
              <TicksProvider value={services}>{children}</TicksProvider>
            </PreferencesProvider>
          </EventsProvider>
        </SessionProvider>
      </ProductProvider>
    </PortsProvider>
  );
}

function FeaturesProvider({ services, children }: ServicesProviderProps) {
  return (
    <RingbackContext value={services.calling.ringback}>
      <CallingProvider value={services}>
        <ChatProvider value={services}>
          <PwaProvider value={services.pwa}>
            <PushAreaProvider value={services.push}>
              <FrameCountsProvider value={services.counts}>
                <DemoUsersProvider value={services.demoUsers}>
                  <LogProvider value={services.log}>
                    <BrowserKindProvider value={services.browser}>{children}</BrowserKindProvider>
                  </LogProvider>
                </DemoUsersProvider>
              </FrameCountsProvider>
            </PushAreaProvider>
          </PwaProvider>
        </ChatProvider>
      </CallingProvider>
    </RingbackContext>
  );
}
