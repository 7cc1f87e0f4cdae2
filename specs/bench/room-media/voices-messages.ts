/** The messages between a bench and a process with voices of a large room. */
import * as v from 'valibot';

const text = v.string();
const frequency = v.number();

export const voicesCommand = v.variant('type', [
  v.object({
    type: v.literal('enter'),
    server: text,
    appId: text,
    roomId: text,
    voices: v.array(v.object({ userId: text, tone: frequency })),
    /** The tones of the whole room, hertz. */
    tones: v.array(frequency),
    /** The share of full scale of each tone. */
    volume: v.number(),
  }),
  /** Asks for the readings since the last turn. */
  v.object({ type: v.literal('turn') }),
]);
export type VoicesCommand = v.InferOutput<typeof voicesCommand>;

const reading = v.object({
  windows: v.number(),
  silent: v.number(),
  powers: v.pipe(v.array(v.number()), v.readonly()),
});

export const voicesEvent = v.variant('type', [
  v.object({ type: v.literal('ready') }),
  v.object({ type: v.literal('entered') }),
  v.object({ type: v.literal('readings'), readings: v.array(reading) }),
  v.object({ type: v.literal('failed'), message: text }),
]);
export type VoicesEvent = v.InferOutput<typeof voicesEvent>;
