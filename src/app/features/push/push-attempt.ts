import { inAppWebview } from './in-app-webview.ts';

/** The properties of the browser that push depends on. */
export interface PushHost {
  readonly userAgent: string;
  readonly hasServiceWorkers: boolean;
  /** True when the push provider is supported. */
  readonly hasMessaging: boolean;
  readonly permission: NotificationPermission;
}

/** Returns why push is not attempted (app-shell §5). Returns `null` when it is attempted. */
export function noPushBecause(host: PushHost): 'unsupported' | 'in-app-webview' | 'denied' | null {
  if (!host.hasServiceWorkers || !host.hasMessaging) return 'unsupported';
  if (inAppWebview(host.userAgent) !== null) return 'in-app-webview';
  if (host.permission === 'denied') return 'denied';
  return null;
}
