/** The check of the relays of a server: whether they answer, and accept the credentials that clients get. */
import type { Clock } from '../../../src/common/clock.ts';
import { Credentials } from '../../exchange/directory/credentials.ts';
import type { Log } from '../../exchange/logging/log.ts';
import type { RelaySettings } from '../../exchange/settings.ts';
import { nodeHmacSha1 } from '../node-ports.ts';
import { addressOf, openChannel, RelayError, type StunChannel } from './stun-channel.ts';
import { ATTRIBUTE, errorOf, isProven, longTermKey, requestOf, STUN, type StunMessage } from './stun-message.ts';

/** The setting, as logs name it. */
const SETTING = 'TURN_URL';
/** The user of the credentials of a check, and their life. Milliseconds. */
const CHECKER = 'ringback-check';
const LIFE_MS = 600_000;
/** UDP as the transport of an allocation (RFC 8656 §18.7). */
const UDP = Buffer.from([17, 0, 0, 0]);
const NO_TIME = Buffer.alloc(4);

interface RelayCheckOptions {
  readonly relay: RelaySettings;
  readonly clock: Clock;
  readonly log: Pick<Log, 'error' | 'info'>;
}

/**
 * Returns a check of all relays. It rejects with RelayError when none works. Each relay that fails has one line in the
 * log for each reason, with its number in the setting.
 */
export function relayCheck({ relay, clock, log }: RelayCheckOptions): () => Promise<void> {
  const reasons = new Map<string, string>();
  const one = async (url: string, at: number): Promise<void> => {
    const name = `relay ${at + 1} of ${relay.urls.length} (${SETTING})`;
    try {
      await checkRelay(url, relay, clock);
      if (reasons.delete(url)) log.info(`${name} works again`);
    } catch (error) {
      const reason = error instanceof RelayError ? error.message : 'the check failed';
      if (reasons.get(url) !== reason) log.error(`${name} cannot be used: ${reason}`, { error });
      reasons.set(url, reason);
      throw error;
    }
  };
  return async () => {
    const results = await Promise.allSettled(relay.urls.map(one));
    if (results.every(({ status }) => status === 'rejected')) throw new RelayError('no relay works');
  };
}

/** Checks one relay by an allocation, which is released at once. @throws RelayError with the reason. */
export async function checkRelay(url: string, relay: RelaySettings, clock: Clock): Promise<void> {
  const address = addressOf(url);
  const channel = await openChannel(address, clock);
  try {
    if (address.isTurn) await allocate(channel, relay, clock);
    else if ((await channel.ask(requestOf(STUN.bindingRequest))).type !== STUN.bindingSuccess) {
      throw new RelayError('it refuses a binding');
    }
  } finally {
    channel.close();
  }
}

async function allocate(channel: StunChannel, relay: RelaySettings, clock: Clock): Promise<void> {
  const transport = [ATTRIBUTE.requestedTransport, UDP] as const;
  const challenge = await channel.ask(requestOf(STUN.allocateRequest, [transport]));
  const [realm, nonce] = [challenge.attributes.get(ATTRIBUTE.realm), challenge.attributes.get(ATTRIBUTE.nonce)];
  if (challenge.type === STUN.allocateSuccess) throw new RelayError('it asks for no credentials');
  if (challenge.type !== STUN.allocateError || errorOf(challenge) !== 401 || !realm || !nonce) throw refusal(challenge);
  const { username, password } = new Credentials(clock, relay, LIFE_MS, nodeHmacSha1).current(CHECKER);
  const key = longTermKey(username, realm, password);
  const identity = [
    [ATTRIBUTE.username, Buffer.from(username)],
    [ATTRIBUTE.realm, realm],
    [ATTRIBUTE.nonce, nonce],
  ] as const;
  const answer = await channel.ask(requestOf(STUN.allocateRequest, [transport, ...identity], key));
  if (answer.type !== STUN.allocateSuccess) throw refusal(answer);
  if (!isProven(answer, key)) throw new RelayError('its answer does not prove the secret');
  // The allocation must not count against the limits of the relay. A failure of this request is no failure of the relay.
  const release = requestOf(STUN.refreshRequest, [[ATTRIBUTE.lifetime, NO_TIME], ...identity], key);
  await channel.ask(release).catch(() => undefined);
}

function refusal(message: StunMessage): RelayError {
  const code = errorOf(message);
  return new RelayError(code === 401 ? 'it refuses the secret' : `it refuses an allocation (error ${code})`);
}
