/** The answer to a person who opens the address of an exchange in a browser: what it is, and what to do next. */
import type { IncomingMessage } from 'node:http';
import type { HttpResponse } from '../../http/request.ts';
import { targetOf } from '../target.ts';

export interface FrontPage {
  /** The version of the tools. */
  readonly version: string;
  readonly appId: string;
  readonly url: string;
  /** Whether clients may choose a script. */
  readonly hasScripts: boolean;
}

/** Returns the page for a request for `/`. Undefined for any other request. It contains nothing about users. */
export function frontPage({ method, url = '' }: IncomingMessage, page: () => FrontPage): HttpResponse | undefined {
  if (method !== 'GET' || targetOf({ url }).path !== '/') return undefined;
  return {
    status: 200,
    body: textOf(page()),
    mediaType: 'text/plain; charset=utf-8',
    headers: { 'cache-control': 'no-store', 'cross-origin-resource-policy': 'same-site' },
  };
}

function textOf({ version, appId, url, hasScripts }: FrontPage): string {
  const server = `--server ${url}`;
  return [
    `Ringback ${version}: an exchange, the call server of a test or of development.`,
    '',
    'A page connects to it:',
    `  init('${appId}', '${url}', '${url.replace(/^http/, 'ws')}')`,
    '',
    'Next, in a terminal:',
    `  npx ringback users ${server}`,
    ...(hasScripts ? [`  npx ringback dial bob --script accept ${server}`] : []),
    `  npx ringback doctor ${server} --page http://localhost:3000/`,
    '',
  ].join('\n');
}
