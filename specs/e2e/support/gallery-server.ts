/** Serves the built gallery on a free port. Vite would use a second of processor time to serve the same files. */
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import sirv from 'sirv';
import { listen, stopListening } from '../../../sim/server/listen.ts';
import { servePortraits } from '../../../src/app/testing/gallery/serve-portraits.ts';

const GALLERY = fileURLToPath(new URL('../../../dist/gallery', import.meta.url));
const PORTRAITS = '/portraits';

/**
 * Starts the server of the gallery.
 *
 * @throws Error with the remedy when the gallery is not built.
 */
export async function serveGallery() {
  if (!existsSync(`${GALLERY}/index.html`)) {
    throw new Error('The gallery is not built, and these tests look at it: run "npm run build" first.');
  }
  const files = sirv(GALLERY);
  const server = createServer((request, response) => {
    const { url = '/' } = request;
    if (!url.startsWith(`${PORTRAITS}/`)) return files(request, response, () => void response.writeHead(404).end());
    request.url = url.slice(PORTRAITS.length);
    servePortraits(request, response);
  });
  const port = await listen(server, 0, '127.0.0.1');
  return { url: `http://127.0.0.1:${port}/`, close: () => stopListening(server) };
}
