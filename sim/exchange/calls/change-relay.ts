import { TURN_CHANGED } from '../../../src/protocol/enumerations.ts';
import { liveLegs, type Call } from './call.ts';
import type { Core } from '../core.ts';
import { signal, type Delivery } from '../delivery/deliver.ts';

type Needs = Delivery & Pick<Core, 'clock' | 'credentials' | 'live' | 'settings'>;

/** The share of a credential's life after which the call gets the next one. */
const SPENT = 5 / 6;

/** Sends a new relay credential to the legs that have the capability `turn_changed`. */
export function changeRelay(core: Needs, call: Call, isRenewal = false): void {
  core.live?.changed(call);
  for (const leg of liveLegs(call)) {
    if (!leg.capabilities.includes(TURN_CHANGED)) continue;
    signal(core, leg, {
      cmd: 'CALL',
      type: 'turn_changed',
      payload: {
        call_id: call.id,
        turn_credential: core.credentials.current(leg.device.userId),
        event_id: core.ids.uuid(),
        ...(isRenewal ? { is_renewal: true } : {}),
      },
    });
  }
}

/** Renews the relay credentials of an accepted call before they expire, until the call ends. */
export function renewRelayLater(core: Needs, call: Call, dueMs = core.settings.relayCredentialMs * SPENT): void {
  if (!core.credentials.hasRelay) return;
  call.relayRenewal = core.clock.after(dueMs, () => {
    changeRelay(core, call, true);
    renewRelayLater(core, call);
  });
}
