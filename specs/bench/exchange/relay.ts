/** The floor of a bench: a relay on `ws` that answers each command and forwards it to the other side, without checks. */
import { type WebSocket, WebSocketServer } from 'ws';
import { serveBench } from './served.ts';

const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });
const clients = new Map<string, WebSocket>();
server.on('connection', (socket, { url = '' }) => {
  const query = new URL(url, 'http://relay').searchParams;
  const peer = query.get('peer') ?? '';
  clients.set(query.get('client_id') ?? '', socket);
  socket.on('message', (data) => {
    const { request_id, cmd, type, payload } = JSON.parse(String(data));
    const call_id = payload.call_id ?? request_id;
    socket.send(JSON.stringify({ version: 1, request_id, cmd, type: `${type}_ack`, payload: { call_id } }));
    const event = {
      version: 1,
      message_id: request_id,
      cmd,
      type,
      sequence_number: 1,
      payload: { ...payload, call_id },
    };
    clients.get(peer)?.send(JSON.stringify(event));
  });
});
server.on('listening', () => {
  const address = server.address();
  if (address && typeof address === 'object') serveBench(`http://127.0.0.1:${address.port}`);
});
