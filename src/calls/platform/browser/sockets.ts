import type { SocketPort } from '../socket.ts';

const ABNORMAL = 1006;

/** Returns a close code that a page may use (WHATWG websockets, close): the given one, else 1000. */
const allowed = (code: number | undefined) =>
  code !== undefined && (code === 1000 || (code >= 3000 && code <= 4999)) ? code : 1000;

export function browserSockets(): SocketPort {
  return {
    open(url, events) {
      let socket: WebSocket;
      try {
        socket = new WebSocket(url);
      } catch {
        queueMicrotask(() => events.closed(ABNORMAL));
        return { send: () => undefined, close: () => undefined };
      }
      socket.addEventListener('open', () => events.opened());
      socket.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
        // The channel carries text only (§7). Binary frames are dropped.
        if (typeof data === 'string') events.received(data);
      });
      socket.addEventListener('close', ({ code }) => events.closed(code));
      return {
        send: (text) => {
          if (socket.readyState === WebSocket.OPEN) socket.send(text);
        },
        close: (code) => socket.close(allowed(code)),
      };
    },
  };
}
