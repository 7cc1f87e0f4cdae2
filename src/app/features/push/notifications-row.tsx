import { useState } from 'react';
import { m } from '../../core/i18n/generated/messages.js';
import { Switch } from '../../../ui/kit/choices.tsx';
import { usePush } from './push.ts';
import { useStore } from '../../../ui/store/use-store.ts';

const hints = {
  unsupported: m.push_row_unsupported,
  'in-app-webview': m.push_row_webview,
  denied: m.push_row_denied,
  possible: m.push_row_off,
  off: m.push_row_off,
  on: m.push_row_on,
  failed: m.push_row_failed,
} as const;

/** Shows whether this device receives notifications while the app is closed, and turns them on or off. */
export function NotificationsRow() {
  const push = usePush();
  const state = useStore(push.state);
  const [isBusy, setIsBusy] = useState(false);
  const isImpossible = state === 'unsupported' || state === 'in-app-webview' || state === 'denied';

  async function turn(isOn: boolean): Promise<void> {
    setIsBusy(true);
    try {
      await (isOn ? push.enable() : push.disable());
    } finally {
      setIsBusy(false);
    }
  }

  return (
    <Switch
      label={m.push_row_title()}
      hint={hints[state]()}
      checked={state === 'on'}
      disabled={isImpossible || isBusy}
      onChange={(isOn) => void turn(isOn)}
    />
  );
}
