/** The routes of the app that benches open, the user of each route, and the tools that open them. */
import { findChromium, HOW_TO_GET_CHROMIUM } from '../../cli/worlds/browser/chromium.ts';
import { startStack, type Stack } from '../e2e/support/stack.ts';

export interface Journey {
  /** A user of the demo world. Null for a visitor. */
  readonly who: string | null;
  /** The minimum performance score of Lighthouse on this route. */
  readonly performance: number;
  readonly paths: readonly string[];
}

/** The placeholder in a route for the chat of Alice and Bob, whose name differs in each world. */
const CHANNEL = '{channelUrl}';

const MESSAGES = 30;
const WORDS = '今天天氣很好，想跟你一起去走走，順便喝杯咖啡聊聊近況。';

const JOURNEYS: readonly Journey[] = [
  { who: null, performance: 95, paths: ['/'] },
  // A visitor is redirected to the landing (SES-03), so a signed-in user opens the public routes.
  { who: 'bob', performance: 95, paths: ['/privacy', '/service', '/login', '/register-man', '/register-woman'] },
  {
    who: 'bob',
    performance: 90,
    paths: [
      '/home-man',
      '/woman-info/alice',
      '/man-info',
      '/purchase/deposit',
      '/deposit-record',
      '/transactions-record/all',
      '/transactions-chat-record',
      '/man-chat-list',
      `/man-chat-list/${CHANNEL}`,
      '/account-verification',
      '/settings',
    ],
  },
  {
    who: 'alice',
    performance: 90,
    paths: [
      '/home-woman',
      '/woman-setting',
      '/man-info?id=bob',
      '/woman-edit',
      '/chat-list',
      '/current-points',
      '/income-details',
      '/redemption-records',
      '/identity-verification',
    ],
  },
];

/** The tools with which a bench opens routes. */
export interface Opened {
  readonly stack: Stack;
  readonly executablePath: string;
  /** The selected routes. */
  readonly journeys: readonly Journey[];
  /** Returns the path of a route in this world. */
  addressOf(path: string): string;
}

/**
 * Starts a server, and selects the routes with this part in their path, or all of them.
 *
 * @throws Error without a Chromium, without a built app, or without such a route.
 */
export async function openRoutes(wanted = ''): Promise<Opened> {
  const executablePath = findChromium();
  if (!executablePath) throw new Error(HOW_TO_GET_CHROMIUM);
  const journeys = JOURNEYS.map((journey) => ({
    ...journey,
    paths: journey.paths.filter((path) => path.includes(wanted)),
  })).filter(({ paths }) => paths.length > 0);
  if (journeys.length === 0) throw new Error(`no route has ${wanted}`);
  const stack = await startStack();
  const channelUrl = await chat(stack.simUrl);
  return { stack, executablePath, journeys, addressOf: (path) => stack.appUrl + path.replace(CHANNEL, channelUrl) };
}

/** Fills the chat of Alice and Bob with more than a screen. Returns the name of the chat. */
async function chat(simUrl: string): Promise<string> {
  const ask = async (path: string, body: object, token = ''): Promise<Record<string, string>> => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    const answer = await fetch(`${simUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path} was refused (${answer.status}): ${await answer.text()}`);
    return (await answer.json()) as Record<string, string>;
  };
  const tokens = await Promise.all(
    ['alice', 'bob'].map(async (user_id) => (await ask('/auth/login', { user_id }))['token']),
  );
  const { channel_url = '' } = await ask('/channels', { u_id: 'bob' }, tokens[0]);
  for (let said = 0; said < MESSAGES; said += 1) {
    const message = { client_id: `bench-message-${said}`, type: 'text', text: `${said + 1} ${WORDS}` };
    await ask(`/channels/${channel_url}/messages`, message, tokens[said % tokens.length]);
  }
  return channel_url;
}
