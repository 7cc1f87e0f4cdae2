/**
 * The media of rooms through paths that a test can break. The server answers an offer with its addresses, and sends
 * only to an address that sent first. So a client that gets the addresses of proxies sends and gets every packet
 * through them.
 */
import type { MediaPath } from '../exchange/ports.ts';
import type { EndpointPlan, RoomMedia } from '../exchange/rooms/room-media.ts';
import type { ClosableEngine } from './lazy-room-media.ts';

/** Returns the media path of an endpoint between its participant and the media server. */
export type OpenRoomPath = (plan: EndpointPlan) => MediaPath;

/** Wraps an engine: each endpoint has a path, from its creation until its release. */
export const roomsThroughPaths = (inner: ClosableEngine, open: OpenRoomPath): ClosableEngine => ({
  open: (roomId, type, closed) => new RoomThroughPaths(inner.open(roomId, type, closed), open),
  close: () => inner.close(),
});

class RoomThroughPaths implements RoomMedia {
  readonly #inner: RoomMedia;
  readonly #open: OpenRoomPath;
  readonly #paths = new Map<string, MediaPath>();

  constructor(inner: RoomMedia, open: OpenRoomPath) {
    this.#inner = inner;
    this.#open = open;
  }

  async create(plan: EndpointPlan, offer: string): Promise<string> {
    const path = this.#open(plan);
    this.#paths.set(plan.endpointId, path);
    try {
      return await throughPath(await this.#inner.create(plan, offer), path);
    } catch (error) {
      this.#dispose(plan.endpointId);
      throw error;
    }
  }

  async negotiate(endpointId: string, offer: string): Promise<string> {
    const answer = await this.#inner.negotiate(endpointId, offer);
    const path = this.#paths.get(endpointId);
    return path ? throughPath(answer, path) : answer;
  }

  attach(endpointId: string, masterId: string): void {
    this.#inner.attach(endpointId, masterId);
  }

  detach(endpointId: string, masterId: string): void {
    this.#inner.detach(endpointId, masterId);
  }

  release(endpointId: string): void {
    this.#inner.release(endpointId);
    this.#dispose(endpointId);
  }

  close(): void {
    this.#inner.close();
    for (const id of this.#paths.keys()) this.#dispose(id);
  }

  #dispose(endpointId: string): void {
    this.#paths.get(endpointId)?.dispose();
    this.#paths.delete(endpointId);
  }
}

/** Returns an answer whose candidates lead through a path. Leaves out those that the path cannot carry. */
async function throughPath(answer: string, path: MediaPath): Promise<string> {
  const lines = answer.split('\r\n').map(async (line) => {
    return line.startsWith('a=candidate:') ? path.rewriteCandidate(line, 'callee') : line;
  });
  return (await Promise.all(lines)).filter((line) => line !== null).join('\r\n');
}
