import { optionalHost, requireObject } from './checks.ts';
import { DEFAULT_HOSTS } from './local-hosts.ts';

/**
 * Where the exchange is, for a whole application: set `globalThis.RINGBACK` before `init`, which reads it for each host
 * it is not given itself. A host that neither names is the one where `ringback sim` listens by default.
 */
export interface RingbackSetting {
  /** An address that begins with http: or https:. */
  apiHost?: string | undefined;
  /** An address that begins with ws: or wss:. */
  websocketHost?: string | undefined;
}

declare global {
  var RINGBACK: RingbackSetting | undefined;
}

/** Where the exchange is when `init` does not say; the setting is read each time one of them is asked for. */
export const defaultHosts = (readSetting: () => unknown) => {
  /** @throws CallError 1800300 or 1800301 naming `RINGBACK` or the host in it. */
  const fromSetting = (name: keyof RingbackSetting, scheme: 'http' | 'ws') => {
    const setting = readSetting();
    if (setting === undefined) return undefined;
    const { [name]: host }: RingbackSetting = requireObject(setting, 'RINGBACK');
    return optionalHost(host, `RINGBACK.${name}`, scheme);
  };
  return {
    get defaultApiHost() {
      return fromSetting('apiHost', 'http') ?? DEFAULT_HOSTS.defaultApiHost;
    },
    get defaultWebsocketHost() {
      return fromSetting('websocketHost', 'ws') ?? DEFAULT_HOSTS.defaultWebsocketHost;
    },
  };
};
