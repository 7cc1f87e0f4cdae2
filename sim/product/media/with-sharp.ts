import type sharp from 'sharp';
import { WorkQueue } from '../work-queue.ts';

/** Each job takes a thread, and up to 200 MB of memory for the largest picture. */
const queue = new WorkQueue({ atOnce: 2, waiting: 32 });

/** The loaders of the accepted formats. All others are blocked, such as SVG and PDF. */
const LOADERS = ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'];

let loading: Promise<typeof sharp> | undefined;

/** Loads the native code, which is not needed before the first picture. */
async function load(): Promise<typeof sharp> {
  const { default: loaded } = await import('sharp');
  loaded.block({ operation: ['VipsForeignLoad'] });
  loaded.unblock({ operation: LOADERS });
  // Leaves the other cores to calls.
  loaded.concurrency(1);
  return loaded;
}

/** Runs a job on a picture in its turn. @throws Refusal `busy`, and the errors of the job. */
export function withSharp<T>(work: (loaded: typeof sharp) => Promise<T>): Promise<T> {
  return queue.run(async () => {
    loading ??= load();
    return work(await loading);
  });
}
