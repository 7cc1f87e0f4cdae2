/** The URL of a user's channel at a server of a bench. */
import { answerOf, json } from '../../contract/exchange/terminals.ts';
import { userIdOf } from './bench-users.ts';

interface ChannelOptions {
  readonly server: string;
  /** Whether users sign in first. A bare relay has no users. */
  readonly hasUsers: boolean;
  /** The number of the user, and that of the other user of the pair. */
  readonly at: number;
  readonly peer: number;
  /** The application of the users. Default: that of the demo. */
  readonly appId?: string;
}

/** Returns the URL of a channel, after the login of its user. @throws Error when the login is refused. */
export async function channelUrl({
  server,
  hasUsers,
  at,
  peer,
  appId = 'ringback-demo',
}: ChannelOptions): Promise<string> {
  const ws = server.replace('http', 'ws');
  const query = new URLSearchParams({ client_id: `client-${at}`, peer: `client-${peer}`, version: '1' });
  if (!hasUsers) return `${ws}/?${query}`;
  const userId = userIdOf(at);
  const login = json({ app_id: appId, user_id: userId }, { 'x-client-id': `client-${at}` });
  const { status, body } = await answerOf(await fetch(`${server}/v1/users/${userId}/login`, login));
  if (status !== 200) throw new Error(`the login of ${userId} was refused with ${status}`);
  query.set('session_token', body.sbcall_session_token);
  return `${ws}/v1/realtime?${query}`;
}
