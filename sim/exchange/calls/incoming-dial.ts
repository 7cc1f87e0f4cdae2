import type { ServerEventPayload } from '../../../src/protocol/messages/events.ts';
import { inCall, type Call } from './call.ts';
import type { Core } from '../core.ts';
import { NO_CREDENTIAL } from '../directory/secrets.ts';

/** The sources of the secrets of a dial. */
export type DialSecrets = Pick<Core, 'credentials' | 'shortLivedTokens'>;

/**
 * Returns the incoming dial of a call for one device of the callee.
 *
 * @param clientId - the device. Null in a webhook, where the device is not known yet: the first device that uses the
 *   short-lived token owns it. A webhook has no relay credential, since the reply to the accept has one.
 */
export function incomingDial(core: DialSecrets, call: Call, clientId: string | null): ServerEventPayload<'dial'> {
  const userId = call.calleeUser.user_id;
  return {
    call_id: call.id,
    is_video_call: call.isVideoCall,
    caller: inCall(call.callerUser, 'dc_caller'),
    callee: inCall(call.calleeUser, 'dc_callee'),
    // The capabilities of the device are known at its accept. Until then it gets every url.
    turn_credential: clientId === null ? NO_CREDENTIAL : core.credentials.current(userId),
    constraints: call.constraints,
    custom_items: { ...call.customItems },
    short_lived_token: core.shortLivedTokens.issue({ userId, clientId, callId: call.id }),
    capabilities: [...call.caller.capabilities],
    created_at: call.createdAt,
  };
}
