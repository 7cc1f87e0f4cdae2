/** The default object, the namespace and the names have the same types. */
import SendBirdCall, { type DialParams, dial, DirectCall, sdkVersion } from 'ringback';
import * as everything from 'ringback';
import * as minified from 'ringback/min';

export const samePlace: typeof everything.dial = SendBirdCall.dial;
export const sameToo: typeof dial = minified.dial;
export const version: '1.10.20' = sdkVersion;
export const live: { appId: string; currentUser: everything.User } = SendBirdCall;

// Bare functions may be passed around.
const { init, authenticate }: Pick<typeof SendBirdCall, 'init' | 'authenticate'> = SendBirdCall;
export const signIn = async (userId: string): Promise<SendBirdCall.User> => {
  init('app');
  return authenticate({ userId });
};

export const dialAwaited = async (params: DialParams): Promise<SendBirdCall.DirectCall> => {
  const call = await SendBirdCall.dial(params);
  return call instanceof DirectCall ? call : call;
};

globalThis.RINGBACK = { apiHost: 'https://exchange.example' };

// @ts-expect-error -- a dial must state whether it has video
SendBirdCall.dial({ userId: 'bob', callOption: {} });
// @ts-expect-error -- VERBOSE is not public
SendBirdCall.setLoggerLevel('VERBOSE');
