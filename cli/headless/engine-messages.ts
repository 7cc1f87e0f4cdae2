/** The messages between `ringback doctor` and the process that checks the media engine. */
import * as v from 'valibot';

export const engineCommand = v.object({ type: v.literal('connect') });

export const engineEvent = v.variant('type', [
  v.object({ type: v.literal('ready') }),
  v.object({ type: v.literal('connected') }),
  v.object({ type: v.literal('failed'), message: v.string() }),
]);
export type EngineEvent = v.InferOutput<typeof engineEvent>;
