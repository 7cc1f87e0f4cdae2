import { inAppWebview } from './in-app-webview.ts';

/** What the browser is, as far as push goes by it. */
export interface PushHost {
  readonly userAgent: string;
  readonly hasServiceWorkers: boolean;
  /** Of the push provider. */
  readonly hasMessaging: boolean;
  readonly permission: NotificationPermission;
}

/** Why push is not attempted (app-shell §5); `null` where it is. */
export function noPushBecause(host: PushHost): 'unsupported' | 'in-app-webview' | 'denied' | null {
  if (!host.hasServiceWorkers || !host.hasMessaging) return 'unsupported';
  if (inAppWebview(host.userAgent) !== null) return 'in-app-webview';
  if (host.permission === 'denied') return 'denied';
  return null;
}
