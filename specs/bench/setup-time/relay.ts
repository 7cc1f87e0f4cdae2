import { createServer } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';
import { listen, stopListening } from '../../../sim/server/listen.ts';

/**
 * Starts a relay for pages, which passes each message to the page that it names, without checks. It greets as the server
 * of PeerJS does, so that PeerJS and bare peer connections can use it.
 */
export async function startRelay(): Promise<{ readonly port: number; close(): Promise<void> }> {
  const server = createServer();
  const sockets = new WebSocketServer({ server, perMessageDeflate: false });
  const pages = new Map<string, WebSocket>();
  sockets.on('connection', (socket, { url = '' }) => {
    const src = new URL(url, 'http://relay').searchParams.get('id') ?? '';
    pages.set(src, socket);
    socket.send(JSON.stringify({ type: 'OPEN' }));
    socket.on('message', (data) => {
      const message: { dst?: string } = JSON.parse(String(data));
      pages.get(message.dst ?? '')?.send(JSON.stringify({ ...message, src }));
    });
  });
  const port = await listen(server, 0, '127.0.0.1');
  return { port, close: () => stopListening(server) };
}
