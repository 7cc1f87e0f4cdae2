/** Websockets over ws. */
import type { Socket as Connection } from 'node:net';
import { WebSocket } from 'ws';
import type { Socket, SocketPort } from '../../../src/calls/platform/socket.ts';
import { LIMITS } from '../../../src/protocol/limits.ts';

/** @param upgraded - receives the connection below each socket that opens. Default: none. */
export function wsSockets(upgraded: (connection: Connection) => void = () => undefined): SocketPort {
  return {
    open(url, events): Socket {
      let socket: WebSocket;
      try {
        socket = new WebSocket(url, {
          maxPayload: LIMITS.frameBytes,
          perMessageDeflate: false,
          // As in a browser, the effects of a message are complete before the next one. Otherwise a reply and the event
          // behind it, read
          // from the wire together, overtake each other in the promises of the library.
          allowSynchronousEvents: false,
        });
      } catch {
        // A bad address throws at once. The port promises `closed` instead, and never before `open` has returned.
        queueMicrotask(() => events.closed(1006));
        return { send: () => undefined, close: () => undefined };
      }
      let status: number | undefined;
      let closing = false;
      socket.on('upgrade', (response) => upgraded(response.socket));
      socket.on('open', () => events.opened());
      socket.on('message', (data, isBinary) => {
        if (isBinary) socket.close(1003);
        // After close no event follows, as in a browser.
        else if (!closing) events.received((data as Buffer).toString());
      });
      socket.on('unexpected-response', (_request, response) => {
        status = response.statusCode;
        socket.terminate();
      });
      // The close event that follows reports the error.
      socket.on('error', () => undefined);
      socket.on('close', (code) => events.closed(code, status));
      return {
        send(text) {
          if (socket.readyState === WebSocket.OPEN) socket.send(text);
        },
        close(code) {
          closing = true;
          socket.close(code);
        },
      };
    },
  };
}
