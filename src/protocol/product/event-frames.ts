/**
 * The frames of `/ws/events`: numbered frames around the events, which a client reads separately. A message is one
 * frame, or an array of consecutive frames.
 */
import * as v from 'valibot';

/**
 * The first frame of every socket. Each user's events are one numbered stream. With `?after={stream}.{seq}` a client
 * requests the events after the last one it knows. `resumed` true: those events follow. False: some may be lost, and
 * the client must read its data again.
 */
export const eventsOpened = v.object({ stream: v.string(), seq: v.number(), resumed: v.boolean() });
export type EventsOpened = v.InferOutput<typeof eventsOpened>;

/**
 * Every other frame: the event and its number. The client reads the event separately: an unknown event still counts.
 */
export const eventFrame = v.object({ seq: v.number(), event: v.unknown() });

/** The most frames in one message. */
export const FRAMES_PER_MESSAGE = 100;
