/** Connections to a STUN or TURN server over UDP, TCP and TLS, for one request at a time. */
import { createSocket } from 'node:dgram';
import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Clock } from '../../../src/common/clock.ts';
import { lengthOf, readMessage, type StunMessage } from './stun-message.ts';

/** A server that does not work as a relay. The message is a reason without an address. */
export class RelayError extends Error {
  override readonly name = 'RelayError';
}

/** The address of a relay, from its url (RFC 7064, RFC 7065). */
export interface RelayAddress {
  readonly host: string;
  readonly port: number;
  readonly transport: 'udp' | 'tcp' | 'tls';
  /** Whether it relays. A `stun:` server only answers. */
  readonly isTurn: boolean;
}

export interface StunChannel {
  /** Sends a request. Resolves with its response. @throws RelayError */
  ask(request: Buffer): Promise<StunMessage>;
  close(): void;
}

/** A request without a response is sent again after these times over UDP. Milliseconds (RFC 8489 §6.2.1). */
const AGAIN_MS = [500, 1_500];
/** The longest wait for a connection, and for a response. Milliseconds. */
const LIMIT_MS = 3_000;
/** The most bytes of a response. */
const MOST_BYTES = 4_096;
const PLAIN_PORT = 3_478;
const TLS_PORT = 5_349;

/** Returns the address of a url of a relay. @throws RelayError for a text that is none. */
export function addressOf(url: string): RelayAddress {
  const [, scheme = '', host = '', port, transport] =
    /^(turns?|stuns?):(\[[\da-f:.]+\]|[^\s:?[\]]+)(?::(\d{1,5}))?(?:\?transport=(udp|tcp))?$/i.exec(url) ?? [];
  if (host === '') throw new RelayError('its address cannot be read');
  const isTls = /s$/i.test(scheme);
  return {
    host: host.replace(/^\[|\]$/g, ''),
    port: Number(port ?? (isTls ? TLS_PORT : PLAIN_PORT)),
    transport: isTls ? 'tls' : transport?.toLowerCase() === 'tcp' ? 'tcp' : 'udp',
    isTurn: /^turn/i.test(scheme),
  };
}

/** Opens a channel. The caller closes it. @throws RelayError */
export const openChannel = (address: RelayAddress, clock: Pick<Clock, 'after'>): Promise<StunChannel> =>
  address.transport === 'udp' ? openUdp(address, clock) : openStream(address, clock);

const reasonOf = (error: unknown): RelayError => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const reasons: Record<string, string> = {
    ECONNREFUSED: 'it refuses the connection',
    ENOTFOUND: 'its host name is unknown',
    EAI_AGAIN: 'its host name cannot be resolved',
  };
  return new RelayError(reasons[code] ?? `the connection failed${code === '' ? '' : ` (${code})`}`);
};

/** Waits for an event, at most for the limit. */
function limited<Result>(
  clock: Pick<Clock, 'after'>,
  start: (resolve: (result: Result) => void, reject: (error: RelayError) => void) => () => void,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const limit = clock.after(LIMIT_MS, () => end(() => reject(new RelayError('it does not answer'))));
    const stop = start(
      (result) => end(() => resolve(result)),
      (error) => end(() => reject(error)),
    );
    function end(settle: () => void): void {
      limit.cancel();
      stop();
      settle();
    }
  });
}

const isReplyTo = (request: Buffer, message: StunMessage): boolean => request.subarray(8, 20).equals(message.id);

async function openUdp({ host, port }: RelayAddress, clock: Pick<Clock, 'after'>): Promise<StunChannel> {
  const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4');
  // A connected socket gets the refusal of a closed port, and packets of this server alone.
  await limited<void>(clock, (resolve, reject) => {
    socket.once('error', (error) => reject(reasonOf(error)));
    socket.connect(port, host, () => resolve());
    return () => undefined;
  }).catch((error: unknown) => {
    socket.close();
    throw error;
  });
  return {
    ask: (request) =>
      limited<StunMessage>(clock, (resolve, reject) => {
        const onMessage = (packet: Buffer): void => {
          const message = readMessage(packet);
          if (!message) reject(new RelayError('its answer is not STUN'));
          else if (isReplyTo(request, message)) resolve(message);
        };
        const onError = (error: Error): void => reject(reasonOf(error));
        socket.on('message', onMessage);
        socket.on('error', onError);
        const timers = AGAIN_MS.map((ms) => clock.after(ms, () => socket.send(request)));
        socket.send(request);
        return () => {
          for (const timer of timers) timer.cancel();
          socket.off('message', onMessage);
          socket.off('error', onError);
          // A late refusal of a packet must not end the process.
          socket.on('error', () => undefined);
        };
      }),
    close: () => socket.close(),
  };
}

async function openStream({ host, port, transport }: RelayAddress, clock: Pick<Clock, 'after'>): Promise<StunChannel> {
  const socket = transport === 'tls' ? connectTls({ host, port, servername: host }) : connect(port, host);
  const opened = transport === 'tls' ? 'secureConnect' : 'connect';
  socket.on('error', () => undefined);
  await limited<void>(clock, (resolve, reject) => {
    const onError = (error: Error): void => reject(reasonOf(error));
    socket.once('error', onError);
    socket.once(opened, () => resolve());
    return () => void socket.off('error', onError);
  }).catch((error: unknown) => {
    socket.destroy();
    throw error;
  });
  return {
    ask: (request) =>
      limited<StunMessage>(clock, (resolve, reject) => {
        let bytes = Buffer.alloc(0);
        const onData = (data: Buffer): void => {
          bytes = Buffer.concat([bytes, data]);
          const length = lengthOf(bytes);
          if (length === undefined || bytes.length > MOST_BYTES) reject(new RelayError('its answer is not STUN'));
          else if (length !== null && bytes.length >= length) {
            const message = readMessage(bytes.subarray(0, length));
            if (message && isReplyTo(request, message)) resolve(message);
            else reject(new RelayError('its answer is not STUN'));
          }
        };
        const onClose = (): void => reject(new RelayError('it closed the connection'));
        socket.on('data', onData);
        socket.once('close', onClose);
        socket.write(request);
        return () => {
          socket.off('data', onData);
          socket.off('close', onClose);
        };
      }),
    close: () => socket.destroy(),
  };
}
