/** Signs a headless client in at the exchange. Explains a failure in one line. */
import { createClient, type Client } from '../../src/calls/client/client.ts';
import { explainSignIn, SignInFailed } from '../sign-in-failure.ts';
import type { SignedIn } from './messages.ts';
import type { HeadlessPlatform } from './platform/wrtc-platform.ts';
import { loadedParts } from '../../src/calls/client/loaded-parts.ts';

/** @param parts - the parts of the library. Default: all of them. */
export async function signIn(
  assignment: SignedIn & { readonly ringMs?: number | undefined },
  platform: HeadlessPlatform,
  parts = loadedParts(),
): Promise<Client> {
  const { server, appId, userId, token } = assignment;
  const socketServer = server.replace(/^http/, 'ws');
  const client = createClient(platform, {
    defaultApiHost: server,
    defaultWebsocketHost: socketServer,
    parts,
  });
  try {
    client.setLoggerLevel(process.env['RINGBACK_DEBUG'] ? 'INFO' : 'ERROR');
    client.init(appId, server, socketServer);
    if (assignment.ringMs !== undefined) client.setRingingTimeout(assignment.ringMs / 1000);
    await client.authenticate({ userId, ...(token === undefined ? {} : { accessToken: token }) });
    await client.connectWebSocket();
    return client;
  } catch (error) {
    throw new SignInFailed(explainSignIn(error, assignment));
  }
}
