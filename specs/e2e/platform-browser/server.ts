import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer, type WebSocket } from 'ws';

/** One period of a 48 kHz tone as a WAV file, for a recording that can be played. */
function wav(): Buffer {
  const samples = 4800;
  const file = Buffer.alloc(44 + samples * 2);
  file.write('RIFF', 0);
  file.writeUInt32LE(36 + samples * 2, 4);
  file.write('WAVEfmt ', 8);
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(48_000, 24);
  file.writeUInt32LE(96_000, 28);
  file.writeUInt16LE(2, 32);
  file.writeUInt16LE(16, 34);
  file.write('data', 36);
  file.writeUInt32LE(samples * 2, 40);
  for (let n = 0; n < samples; n += 1) file.writeInt16LE(Math.round(8000 * Math.sin(n / 10)), 44 + n * 2);
  return file;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString();
}

/** A small server with a response for every case that a port can meet. */
export async function startServer(script: string) {
  const asked: string[] = [];
  let farEnd: { readonly socket: WebSocket; readonly received: string[] } | undefined;
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const path = request.url ?? '/';
    asked.push(path);
    const send = (type: string, body: string | Buffer) => response.setHeader('content-type', type).end(body);
    if (path === '/') {
      response.setHeader('set-cookie', 'taste=sweet');
      return send(
        'text/html',
        '<!doctype html><title>platform</title><button>press</button><script type="module" src="/lab.js"></script>',
      );
    }
    if (path === '/lab.js') return send('text/javascript', script);
    if (path === '/tone.wav') return send('audio/wav', wav());
    if (path === '/noise.wav') return send('audio/wav', 'this is no sound');
    if (path === '/echo') {
      const { method, headers } = request;
      const body = await bodyOf(request);
      // Uses the order of these names, because suites compare the text.
      const answered = { method, body, header: headers['x-contract'], cookie: headers.cookie };
      return send('application/json', JSON.stringify(answered));
    }
    if (path === '/teapot') return response.writeHead(418).end('teapot');
    if (path === '/far-end/received') return send('application/json', JSON.stringify(farEnd?.received ?? []));
    if (path === '/far-end/send') farEnd?.socket.send(await bodyOf(request));
    if (path === '/far-end/close') farEnd?.socket.close(Number(await bodyOf(request)));
    if (path.startsWith('/far-end/')) return response.end();
    if (path === '/moved') return response.writeHead(302, { location: '/target' }).end();
    if (path === '/favicon.ico') return response.writeHead(204).end();
    if (path === '/silent') return undefined;
    return response.writeHead(404).end();
  };
  const chat = (socket: WebSocket) => {
    socket.send(Buffer.from([1, 2, 3]));
    socket.send('welcome');
    socket.on('message', (data: Buffer) => {
      const text = data.toString();
      if (text.startsWith('close ')) socket.close(Number(text.slice(6)));
      else socket.send(`echo ${text}`);
    });
  };
  const record = (socket: WebSocket) => {
    const received: string[] = [];
    farEnd = { socket, received };
    socket.on('message', (data: Buffer) => received.push(data.toString()));
  };
  const server = createServer((request, response) => void answer(request, response));
  const sockets = new WebSocketServer({ noServer: true });
  server.on('upgrade', (request, socket, head) => {
    if (request.url === '/channel') sockets.handleUpgrade(request, socket, head, chat);
    else if (request.url === '/far-end') sockets.handleUpgrade(request, socket, head, record);
    else socket.end('HTTP/1.1 401 Unauthorized\r\n\r\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://localhost:${port}`,
    asked,
    close: () => {
      for (const client of sockets.clients) client.terminate();
      server.closeAllConnections();
      server.close();
    },
  };
}
