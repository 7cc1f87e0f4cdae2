/** The messages of Janus's API over WebSocket that the engine reads. */
import * as v from 'valibot';
import { LIMITS } from '../../../src/protocol/limits.ts';

/** The most bytes of one message of Janus. An event about a full room has about 300 bytes for each participant. */
export const MESSAGE_BYTES = 512 * 1024;

/** Janus makes numbers of 53 bits. */
const id = v.pipe(v.number(), v.safeInteger());
const jsep = v.object({
  type: v.picklist(['offer', 'answer']),
  sdp: v.pipe(v.string(), v.maxLength(LIMITS.sdpBytes)),
});
export type Jsep = v.InferOutput<typeof jsep>;

/** Each message. Only `janus` is always there. */
const message = v.object({
  janus: v.pipe(v.string(), v.maxLength(64)),
  transaction: v.optional(v.string()),
  sender: v.optional(id),
  data: v.optional(v.object({ id })),
  error: v.optional(v.object({ code: v.number(), reason: v.string() })),
  plugindata: v.optional(v.object({ data: v.record(v.string(), v.unknown()) })),
  plugins: v.optional(v.record(v.string(), v.unknown())),
  reason: v.optional(v.string()),
  jsep: v.optional(jsep),
});
export type JanusMessage = v.InferOutput<typeof message>;

/** Reads a message. Returns null for text that is no message of Janus. */
export function readMessage(text: string): JanusMessage | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const read = v.safeParse(message, value);
  return read.success ? read.output : null;
}

/** The refusal that a plugin puts into its data. */
export const pluginError = v.object({ error_code: v.number(), error: v.optional(v.string(), '') });

/** The reply to a request that makes a room. */
export const madeRoom = v.object({ room: id });

/** The participants of a video room. The dummy one sends nothing: viewers without a source get it. */
export const videoParticipants = v.object({
  participants: v.pipe(v.array(v.object({ id, display: v.optional(v.string()) })), v.maxLength(10_000)),
});

/** The rooms of a plugin. */
export const roomList = v.object({
  list: v.pipe(
    v.array(
      v.object({
        room: id,
        description: v.optional(v.string(), ''),
        num_participants: v.optional(v.pipe(v.number(), v.minValue(0)), 0),
      }),
    ),
    v.maxLength(100_000),
  ),
});

/** The reply to a publisher that joins. */
export const joined = v.object({ id });

/** The reply to a subscriber that joins, or that adds streams. */
export const subscribed = v.object({
  streams: v.array(v.object({ type: v.string(), mid: v.string(), feed_id: v.optional(id) })),
});
