import type { RelayCredential } from '../../protocol/entities.ts';
import type { Logger } from '../logging/log.ts';
import type { RtcPeerConnection, RtcPort } from '../platform/rtc.ts';

const RELAY_URL = /^(stun|stuns|turn|turns):[^\s]+$/i;
/** The most relay addresses. Engines slow down with many servers, and refuse very many. */
const RELAY_URLS = 8;

/** Returns the first `most` valid addresses of a relay. Logs that others are left out. */
function usable({ turn_urls }: RelayCredential, log: Pick<Logger, 'error'>, most: number): string[] {
  const urls = turn_urls.filter((url) => RELAY_URL.test(url)).slice(0, most);
  if (urls.length < turn_urls.length)
    log.error('relay addresses were left out', { of: turn_urls.length, left: urls.length });
  return urls;
}

/**
 * Returns the credential that a call begins with. The capability turn_changed keeps only its first address (§7, RT-13).
 * Invalid addresses are logged and left out.
 */
export function initialCredential(credential: RelayCredential, log: Pick<Logger, 'error'>): RelayCredential {
  return { ...credential, turn_urls: usable(credential, log, Infinity).slice(0, 1) };
}

/**
 * Creates a peer connection through the relay of a credential (§3). Invalid addresses are left out, and so is a relay
 * that the engine refuses. The call then fails to connect. This function does not throw for a relay.
 */
export function connectionThrough(
  rtc: Pick<RtcPort, 'createPeerConnection'>,
  credential: RelayCredential,
  log: Pick<Logger, 'error'>,
): RtcPeerConnection {
  const configuration = configurationOf(credential, log);
  try {
    return rtc.createPeerConnection(configuration);
  } catch (error) {
    log.error('the relay was refused', { error });
    return rtc.createPeerConnection({ ...configuration, iceServers: [] });
  }
}

/**
 * Gives a peer connection a new credential of its relay, used from the next ICE restart on (W3C WebRTC §4.4.1.6). An
 * engine that refuses it keeps the former one.
 */
export function renewThrough(
  connection: Pick<RtcPeerConnection, 'setConfiguration'>,
  credential: RelayCredential,
  log: Pick<Logger, 'error'>,
): void {
  try {
    connection.setConfiguration(configurationOf(credential, log));
  } catch (error) {
    log.error('the new credential of the relay was refused', { error });
  }
}

function configurationOf(credential: RelayCredential, log: Pick<Logger, 'error'>): RTCConfiguration {
  const urls = usable(credential, log, RELAY_URLS);
  return {
    iceServers: urls.length > 0 ? [{ urls, username: credential.username, credential: credential.password }] : [],
    iceTransportPolicy: credential.transport_policy,
    // Without it an offer has a transport for each section, and twice the candidates.
    bundlePolicy: 'max-bundle',
  };
}
