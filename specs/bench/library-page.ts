import { createServer, type ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { listen, stopListening } from '../../sim/server/listen.ts';

const LIBRARY = fileURLToPath(new URL('../../src/calls/index.ts', import.meta.url));

const PAGE = `<!doctype html><title>bench</title><video id="local" muted></video><video id="remote"></video>
<script type="module">import * as calls from '/calls.js'; globalThis.calls = calls;</script>`;

/** Serves a page that has the calling library as `calls`, and two video elements, `local` and `remote`. */
export async function serveLibraryPage() {
  const result = await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      lib: { entry: LIBRARY, formats: ['es'] },
      rolldownOptions: { output: { codeSplitting: false } },
    },
  });
  const [output] = Array.isArray(result) ? result : [result];
  if (!output || !('output' in output)) throw new Error('the library was not bundled');
  const script = output.output[0].code;
  const send = (response: ServerResponse, type: string, body: string) =>
    response.setHeader('content-type', type).end(body);
  const server = createServer(({ url }, response) => {
    if (url === '/calls.js') send(response, 'text/javascript', script);
    else send(response, 'text/html', PAGE);
  });
  const port = await listen(server, 0, '127.0.0.1');
  return { url: `http://127.0.0.1:${port}/`, close: () => stopListening(server) };
}
