/**
 * What goes over `/ws/events`: numbered frames around the events, which a client reads by themselves. A message is one frame, or
 * an array of several that follow each other.
 */
import * as v from 'valibot';

/**
 * The first frame of every socket. Each user's events are one numbered stream: with `?after={stream}.{seq}` a client asks for
 * those that came after the last one it knows. `resumed`: they follow. Otherwise some may be lost for good, and what was read
 * before has to be asked for again.
 */
export const eventsOpened = v.object({ stream: v.string(), seq: v.number(), resumed: v.boolean() });
export type EventsOpened = v.InferOutput<typeof eventsOpened>;

/** Every other frame: the event and its number. What it holds is read by itself: a number counts though its event is not known here. */
export const eventFrame = v.object({ seq: v.number(), event: v.unknown() });

/** The most frames in one message. */
export const FRAMES_PER_MESSAGE = 100;
