import { CallPair } from '../../../cli/load/call-pair.ts';
import { DEFAULT_APP_ID } from '../../../sim/server/defaults.ts';
import { nodeClock } from '../../../sim/server/node-ports.ts';
import { filledPath } from '../../../src/protocol/endpoint.ts';
import { CHANNEL_QUERY, HEADERS, PATHS } from '../../../src/protocol/http.ts';
import { PROTOCOL_VERSION } from '../../../src/protocol/limits.ts';

/** Makes calls without media between two users. An exchange in use has run its code before, and its engine has compiled it. */
export async function warmUp(api: string, users: readonly [string, string], count: number): Promise<void> {
  const [caller, callee] = users;
  const pair = new CallPair(callee, nodeClock);
  await pair.open(await channelOf(api, caller), await channelOf(api, callee));
  for (let call = 0; call < count; call += 1) {
    await new Promise<void>((resolve, reject) => {
      pair.dial({
        stepped: (step) => {
          if (step === 'connected') pair.end('end');
          if (step === 'over') resolve();
        },
        refused: (command, code) => reject(new Error(`${command} was refused with ${code}`)),
        lost: (why) => reject(new Error(why)),
      });
    });
  }
  pair.close();
}

async function channelOf(api: string, user: string): Promise<string> {
  const client = `warm-up-${user}`;
  const response = await fetch(api + filledPath(PATHS.login, { user_id: user }), {
    method: 'POST',
    headers: { 'content-type': 'application/json', [HEADERS.clientId]: client },
    body: JSON.stringify({ app_id: DEFAULT_APP_ID, user_id: user }),
  });
  const { sbcall_session_token: token }: { sbcall_session_token: string } = await response.json();
  const query = new URLSearchParams({
    [CHANNEL_QUERY.sessionToken]: token,
    [CHANNEL_QUERY.clientId]: client,
    [CHANNEL_QUERY.version]: String(PROTOCOL_VERSION),
  });
  return `${api.replace(/^http/, 'ws')}${PATHS.channel}?${query}`;
}
