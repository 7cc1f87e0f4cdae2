import type { IncomingMessage } from 'node:http';
import { isLoopback } from '../allowed-hosts.ts';

/** Returns whether a client of this machine sent a request, through no proxy that says so. */
export function isFromThisMachine({ headers, socket }: IncomingMessage): boolean {
  const isForwarded = ['forwarded', 'x-forwarded-for', 'via'].some((name) => headers[name] !== undefined);
  const address = (socket.remoteAddress ?? '').replace(/^::ffff:/, '');
  const host = (headers.host ?? '').replace(/:\d+$/, '');
  return !isForwarded && isLoopback(address) && isLoopback(host);
}
