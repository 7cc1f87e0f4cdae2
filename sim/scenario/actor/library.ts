import type { Client } from '../../../src/calls/client/client.ts';

/** The parts of the library that users of a scenario need, from any copy of it. */
export type Library = Pick<
  Client,
  | 'addListener'
  | 'authenticate'
  | 'connectWebSocket'
  | 'currentUser'
  | 'deauthenticate'
  | 'dial'
  | 'getOngoingCallCount'
  | 'setCallConnectionTimeout'
  | 'setRingingTimeout'
>;
