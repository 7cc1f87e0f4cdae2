import type sharp from 'sharp';
import { WorkQueue } from '../work-queue.ts';

/** Each takes a thread, and up to 200 MB of memory for the largest picture. */
const queue = new WorkQueue({ atOnce: 2, waiting: 32 });

/** The loaders of the kinds of pictures that are taken. Every other one, as of SVG or PDF, is blocked. */
const LOADERS = ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'];

let loading: Promise<typeof sharp> | undefined;

/** Native code, and not needed before the first picture. */
async function load(): Promise<typeof sharp> {
  const { default: loaded } = await import('sharp');
  loaded.block({ operation: ['VipsForeignLoad'] });
  loaded.unblock({ operation: LOADERS });
  // One picture does not take every core from the calls.
  loaded.concurrency(1);
  return loaded;
}

/** Works on a picture when its turn comes. @throws Refusal busy; what the work throws. */
export function withSharp<T>(work: (loaded: typeof sharp) => Promise<T>): Promise<T> {
  return queue.run(async () => {
    loading ??= load();
    return work(await loading);
  });
}
