/** A real exchange for one test file, on a free port, with a media path that can be cut where a test asks for one. */
import { createPathProxy, type PathProxy } from '../../sim/media/path-proxy.ts';
import { startSim } from '../../sim/server/start-sim.ts';

export interface TestExchange {
  readonly url: string;
  /** Someone there is, but whom nothing has signed in for. */
  readonly neverSignedIn: string;
  /** The path of the latest call, where it is cuttable. */
  readonly path: PathProxy | null;
  close(): Promise<void>;
}

export async function createExchange(options: { cuttable?: boolean } = {}): Promise<TestExchange> {
  let path: PathProxy | null = null;
  const sim = await startSim({
    demo: true,
    port: 0,
    ...(options.cuttable ? { mediaPath: () => (path = createPathProxy()) } : {}),
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
