import type { Client } from '../../../src/calls/client/client.ts';

/** What people use of the library, whichever copy of it that is. */
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
