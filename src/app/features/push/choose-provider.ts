import type { AppConfig } from '../../../protocol/product/config.ts';
import type { Clock } from '../../../common/clock.ts';
import { createFcmProvider, type FcmModule } from './fcm-provider.ts';
import { type PushGlobals, createWebPushProvider } from './web-push-provider.ts';
import { noPush, type PushProvider } from './push-provider.ts';

interface Outside {
  globals: PushGlobals;
  clock: Clock;
  /** Loads the module at this address. */
  load(url: string): Promise<FcmModule>;
}

/** Creates the push provider that the configuration of the deployment names. */
export function choosePushProvider(push: AppConfig['push'], { globals, clock, load }: Outside): PushProvider {
  switch (push?.provider) {
    case 'none':
      return noPush;
    case 'fcm':
      return createFcmProvider({ load: () => load(push.module_url), options: push.options });
    default:
      return createWebPushProvider({ globals, clock });
  }
}
