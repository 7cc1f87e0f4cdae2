/** Secrets within signals. They are not stored, and a restarted exchange makes new ones. */
import type { EventFrame } from '../../../src/protocol/envelope.ts';
import type { RelayCredential } from '../../../src/protocol/entities.ts';
import type { Leg } from '../calls/call.ts';
import type { KeptSignal } from '../delivery/signal-log.ts';
import type { Credentials } from './credentials.ts';
import type { TokenIssuer } from './short-lived-tokens.ts';

/** The sources of the secrets. */
interface Secrets {
  readonly credentials: Credentials;
  readonly shortLivedTokens: Pick<TokenIssuer, 'issue'>;
}

/** The placeholder for a credential that is left out. */
export const NO_CREDENTIAL: RelayCredential = { username: '', password: '', turn_urls: [], transport_policy: 'all' };

/** Returns a frame without secrets. */
export function withoutSecrets(frame: EventFrame): EventFrame {
  switch (frame.type) {
    case 'dial':
      return { ...frame, payload: { ...frame.payload, turn_credential: NO_CREDENTIAL, short_lived_token: '' } };
    case 'accept':
    case 'turn_changed':
      return { ...frame, payload: { ...frame.payload, turn_credential: NO_CREDENTIAL } } as EventFrame;
    default:
      return frame;
  }
}

/** The types of the signals with secrets. */
const SECRET: ReadonlySet<string> = new Set<EventFrame['type']>(['dial', 'accept', 'turn_changed']);

/** Returns the text of a signal for the store, without secrets. Most signals have none, and are not read again. */
export const textWithoutSecrets = ({ type, text }: Pick<KeptSignal, 'type' | 'text'>): string =>
  SECRET.has(type) ? JSON.stringify(withoutSecrets(JSON.parse(text))) : text;

/** Returns the frame for another send, with credentials that are valid now. */
export function withSecrets(from: Secrets, leg: Leg, frame: EventFrame): EventFrame {
  const { userId, clientId } = leg.device;
  const { credentials, shortLivedTokens } = from;
  switch (frame.type) {
    case 'dial': {
      const { call_id: callId } = frame.payload;
      return {
        ...frame,
        payload: {
          ...frame.payload,
          turn_credential: credentials.current(userId),
          short_lived_token: shortLivedTokens.issue({ userId, clientId, callId }),
        },
      };
    }
    case 'accept':
      return {
        ...frame,
        payload: { ...frame.payload, turn_credential: credentials.initial(userId, leg.capabilities) },
      };
    case 'turn_changed':
      return { ...frame, payload: { ...frame.payload, turn_credential: credentials.current(userId) } };
    default:
      return frame;
  }
}
