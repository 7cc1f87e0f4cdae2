/** The default address of `ringback sim`. */
export const DEFAULT_HOSTS = {
  defaultApiHost: 'http://127.0.0.1:4870',
  defaultWebsocketHost: 'ws://127.0.0.1:4870',
} as const;
