import { optionalHost, requireObject } from '../host/checks.ts';
import { DEFAULT_HOSTS } from './local-hosts.ts';

/**
 * The address of the exchange for a whole application, in `globalThis.RINGBACK`. `init` reads it for each host that is
 * not among its arguments. Default: the address at which `ringback sim` listens.
 */
export interface RingbackSetting {
  /** The address for requests. It begins with http: or https:. */
  apiHost?: string | undefined;
  /** The address for the realtime channel. It begins with ws: or wss:. */
  websocketHost?: string | undefined;
}

declare global {
  var RINGBACK: RingbackSetting | undefined;
}

/** Returns the hosts that `init` uses by default. Each read of a host reads the setting again. */
export const defaultHosts = (readSetting: () => unknown) => {
  /**
   * Returns a host of the setting.
   * @throws CallError `INVALID_PARAMETER_VALUE` or `INVALID_PARAMETER_TYPE` for `RINGBACK` or the host in it.
   */
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
