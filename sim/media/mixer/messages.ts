/** The messages between the engine of rooms and its mixer, which is a process with native code. */
import * as v from 'valibot';

const id = v.pipe(v.string(), v.maxLength(200));
const sdp = v.pipe(v.string(), v.maxLength(200_000));

export const mixerCommand = v.variant('type', [
  /** Adds a voice to the mix of a room. The mixer sends an offer for its peer connection. */
  v.object({ type: v.literal('add'), voice: id, room: id }),
  v.object({ type: v.literal('answer'), voice: id, sdp }),
  v.object({ type: v.literal('remove'), voice: id }),
]);
export type MixerCommand = v.InferOutput<typeof mixerCommand>;

export const mixerNews = v.variant('type', [
  v.object({ type: v.literal('ready') }),
  v.object({ type: v.literal('offer'), voice: id, sdp }),
]);
export type MixerNews = v.InferOutput<typeof mixerNews>;
