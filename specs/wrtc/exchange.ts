/** A real exchange for one test file, on a free port, with a media path that can be cut where a test asks for one. */
import { createPathProxy, type PathProxy } from '../../sim/media/path-proxy.ts';
import { nodeClock, nodeRandom } from '../../sim/server/node-ports.ts';
import { startSim } from '../../sim/server/start-sim.ts';

export interface TestExchange {
  readonly url: string;
  /** A user who exists, but has never signed in. */
  readonly neverSignedIn: string;
  /** The media path of the latest call, when it can be cut. */
  readonly path: PathProxy | null;
  close(): Promise<void>;
}

export async function createExchange(options: { cuttable?: boolean } = {}): Promise<TestExchange> {
  let path: PathProxy | null = null;
  const sim = await startSim({
    demo: true,
    showsItself: true,
    port: 0,
    ...(options.cuttable
      ? { mediaPath: () => (path = createPathProxy({ clock: nodeClock, random: nodeRandom })) }
      : {}),
  });
  return {
    url: sim.url,
    neverSignedIn: 'dave',
    get path() {
      return path;
    },
    close: () => sim.close(),
  };
}
