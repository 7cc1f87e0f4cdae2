/**
 * The envelope of every message on the realtime channel, and the decoding of every frame.
 *
 *     client -> exchange   { version, request_id, cmd, type, payload }                     a command
 *     exchange -> client   { version, request_id, cmd, type: 'x_ack', payload }            its reply
 *     exchange -> client   { version, request_id, cmd, type: 'x_ack', error }              its refusal
 *     exchange -> client   { version, message_id, cmd, type, delivery_info,
 *                            sequence_number, payload }                                    an event
 *
 * This file decodes each frame once by its schema. A fault is a {@link FrameFault} with the path of the wrong value.
 */
import * as v from 'valibot';
import { commandGroup, type CommandGroup } from './enumerations.ts';
import { CallError, ErrorCode } from './errors.ts';
import { LIMITS, PROTOCOL_VERSION } from './limits.ts';
import { COMMANDS, type Command, type CommandType } from './messages/commands.ts';
import { EVENTS, type ServerEvent } from './messages/events.ts';
import { REPLIES, type ReplyPayload } from './messages/replies.ts';
import type { RoomCommand, RoomEvent } from './messages/rooms.ts';

interface CommandHead {
  readonly version: number;
  readonly request_id: string;
}

/** The frame of a command about a direct call, or about none. */
export type CommandFrame = Command & CommandHead;
/** The frame of a command about a room. */
export type RoomCommandFrame = RoomCommand & CommandHead;
/** The frame of any command. */
export type AnyCommandFrame = CommandFrame | RoomCommandFrame;

/** The route of an event to the client. */
export const deliveryInfo = v.object({ channel: v.picklist(['websocket', 'missed_signal', 'push']) });
export type DeliveryInfo = v.InferOutput<typeof deliveryInfo>;

/** What the frame of every event has beside its content. */
export interface EventHead {
  readonly version: number;
  readonly message_id: string;
  readonly delivery_info: DeliveryInfo;
  readonly sequence_number: number;
}

/**
 * The frame of an event. `sequence_number` is the event's place among the signals of its call leg, from 1. A call that
 * moves to another node of a cluster leaves a gap. It is 0 for events without a call and for events that are not kept. It is also 0
 * for an end by a node that was cut off from its cluster during the call.
 */
export type EventFrame = ServerEvent & EventHead;

/**
 * The frame of an event of a room (RM-35). `sequence_number` is the event's place among the events of its room, from 1,
 * without gaps. It is 0 for an event about an invitation.
 */
export type RoomEventFrame = RoomEvent & EventHead;

/** An event with an unread payload. */
export interface UnreadEvent extends EventHead {
  readonly cmd: CommandGroup;
  readonly type: string;
  readonly payload?: unknown;
}

/** A reply with an unread payload. Only the waiting request knows the schema of the payload. */
export interface ReplyFrame {
  readonly version: typeof PROTOCOL_VERSION;
  readonly request_id: string;
  readonly cmd: CommandGroup;
  readonly type: string;
  readonly payload?: unknown;
  readonly error?: { readonly code: number; readonly message: string } | undefined;
}

/** The fault of a frame: `where` is a path such as `payload.candidate.sdp_mid`. */
export class FrameFault extends Error {
  readonly where: string;
  /** The id of the request in the frame. Undefined when it cannot be read. */
  readonly requestId: string | undefined;

  constructor(where: string, what: string, requestId?: string) {
    super(`${where}: ${what}`);
    this.name = 'FrameFault';
    this.where = where;
    this.requestId = requestId;
  }

  /**
   * `ERR_MALFORMED_DATA` when the text is not a frame, `ERR_WRONG_RESPONSE` when the frame has an unexpected shape
   * (§8).
   */
  get code(): number {
    return this.where === 'frame' ? ErrorCode.ERR_MALFORMED_DATA : ErrorCode.ERR_WRONG_RESPONSE;
  }
}

export const requestId = v.pipe(v.string(), v.minLength(1), v.maxLength(128));
const sequenceNumber = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

/** The envelope of a command, with a payload that its type decides. */
export const commandEnvelope = v.object({
  version: v.literal(PROTOCOL_VERSION),
  request_id: requestId,
  cmd: commandGroup,
  type: v.pipe(v.string(), v.maxLength(LIMITS.nameChars)),
  payload: v.unknown(),
});

/** The envelope of a reply, with a payload that the type of its command decides. */
export const replyEnvelope = v.object({
  version: v.literal(PROTOCOL_VERSION),
  request_id: requestId,
  cmd: commandGroup,
  type: v.string(),
  payload: v.optional(v.unknown()),
  error: v.optional(v.object({ code: v.pipe(v.number(), v.integer()), message: v.string() })),
});

const eventEnvelope = v.object({
  version: v.literal(PROTOCOL_VERSION),
  message_id: v.pipe(v.string(), v.minLength(1), v.maxLength(128)),
  cmd: commandGroup,
  type: v.string(),
  delivery_info: deliveryInfo,
  sequence_number: sequenceNumber,
  payload: v.unknown(),
});

/**
 * Reads a value by its schema. It stops at the first fault, so that a wrong value costs no more than a right one.
 *
 * @param frame - the frame with the value. A fault names its request.
 */
function read<T extends v.GenericSchema>(schema: T, value: unknown, at: string, frame?: unknown): v.InferOutput<T> {
  if (Array.isArray(value)) throw new FrameFault(at || 'frame', 'not an object', ownRequestId(frame));
  const result = v.safeParse(schema, value, { abortEarly: true });
  if (result.success) return result.output;
  const [issue] = result.issues;
  const where = [at, v.getDotPath(issue)].filter(Boolean).join('.') || 'frame';
  throw new FrameFault(where, issue.message, ownRequestId(frame));
}

/** The most bytes of UTF-8 for one code unit of a text. */
const BYTES_PER_UNIT = 3;

/** Returns whether a text has more bytes in UTF-8 than a frame may have. Only a text near the limit is encoded. */
export const isFrameTooLarge = (text: string): boolean =>
  text.length * BYTES_PER_UNIT > LIMITS.frameBytes &&
  (text.length > LIMITS.frameBytes || new TextEncoder().encode(text).length > LIMITS.frameBytes);

/**
 * Reads the text of a frame as JSON.
 * @throws FrameFault when the text is too large or is not JSON.
 */
export function frameValue(text: string): unknown {
  if (isFrameTooLarge(text)) throw new FrameFault('frame', 'too large');
  try {
    return JSON.parse(text);
  } catch {
    throw new FrameFault('frame', 'not JSON');
  }
}

/** Returns the id of the request that a value names. No schema reads it, since most frames are events and have none. */
function ownRequestId(value: unknown): string | undefined {
  const id = typeof value === 'object' && value !== null && 'request_id' in value ? value.request_id : undefined;
  return typeof id === 'string' && id.length > 0 && id.length <= LIMITS.idChars ? id : undefined;
}

function schemaOf(
  groups: Record<string, Record<string, v.GenericSchema>>,
  cmd: string,
  type: string,
): v.GenericSchema | undefined {
  const group = groups[cmd];
  return group && Object.hasOwn(group, type) ? group[type] : undefined;
}

/** The schemas of messages by group and type. */
type Schemas = Readonly<Record<string, Readonly<Record<string, v.GenericSchema>>>>;

/**
 * Reads a command about direct calls, or about none, from a parsed value.
 * @throws FrameFault when the value has no known group and type, or breaks its schema.
 */
export const commandFrom = (value: unknown): CommandFrame =>
  // The group and type chose the schema, so the three belong together.
  commandBy(COMMANDS, value) as CommandFrame;

/**
 * Reads a command from a parsed value by a table of schemas.
 * @throws FrameFault as {@link commandFrom}.
 */
export function commandBy(schemas: Schemas, value: unknown): CommandHead & v.InferOutput<typeof commandEnvelope> {
  const frame = read(commandEnvelope, value, '', value);
  const schema = schemaOf(schemas, frame.cmd, frame.type);
  if (!schema) throw new FrameFault('type', `unknown command ${frame.cmd}/${frame.type}`, frame.request_id);
  const { version, request_id, cmd, type } = frame;
  return { version, request_id, cmd, type, payload: read(schema, frame.payload, 'payload', frame) };
}

/** A frame of the exchange. The event of a room has an unread payload: only the code of rooms knows its schema. */
export type ServerFrame =
  | { readonly kind: 'reply'; readonly frame: ReplyFrame }
  | { readonly kind: 'event'; readonly frame: EventFrame }
  | { readonly kind: 'room'; readonly frame: UnreadEvent };

/** The beginnings of the types of room events. Their schemas are loaded with the code of rooms. */
const OF_ROOMS = /^(?:custom_items|invitation|participant|room)_/;

/**
 * Reads a frame of the exchange: a reply, an event of a call, or an event of a room.
 * @throws FrameFault when the text is too large, is not JSON, is none of these, or breaks its schema.
 */
export function decodeServerFrame(text: string): ServerFrame {
  const value = frameValue(text);
  const id = ownRequestId(value);
  if (id !== undefined) return { kind: 'reply', frame: replyFrom(value) };
  const frame = read(eventEnvelope, value, '');
  const isOfRoom = frame.cmd === 'COMM' && !Object.hasOwn(EVENTS.COMM, frame.type) && OF_ROOMS.test(frame.type);
  return isOfRoom ? { kind: 'room', frame } : { kind: 'event', frame: withPayload(EVENTS, frame) as EventFrame };
}

/**
 * Reads a reply from a parsed value: the answer of the HTTP fallback.
 * @throws FrameFault when the value is not a reply.
 */
export function replyFrom(value: unknown): ReplyFrame {
  return read(replyEnvelope, value, '', value);
}

/**
 * Reads an event from a parsed value: a missed signal, a push.
 * @throws FrameFault when the value is not a known event, or breaks its schema.
 */
export const eventFrom = (value: unknown): EventFrame => eventBy(EVENTS, value) as EventFrame;

/**
 * Reads an event from a parsed value by a table of schemas.
 * @throws FrameFault as {@link eventFrom}.
 */
export function eventBy(schemas: Schemas, value: unknown): EventHead & v.InferOutput<typeof eventEnvelope> {
  return withPayload(schemas, read(eventEnvelope, value, ''));
}

function withPayload(schemas: Schemas, frame: v.InferOutput<typeof eventEnvelope>): EventHead & typeof frame {
  const schema = schemaOf(schemas, frame.cmd, frame.type);
  if (!schema) throw new FrameFault('type', `unknown event ${frame.cmd}/${frame.type}`);
  return { ...frame, payload: read(schema, frame.payload, 'payload') };
}

/**
 * Reads the payload of a reply to a command of this type.
 * @throws CallError with the code of the exchange when the reply is a refusal. `ERR_WRONG_RESPONSE` when the reply
 *   belongs to another command or has another shape.
 */
export const readReply = <T extends CommandType>(type: T, frame: ReplyFrame): ReplyPayload<T> =>
  replyBy(REPLIES[type], type, frame);

/**
 * Reads the payload of a reply to a command of this type by its schema.
 * @throws CallError as {@link readReply}.
 */
export function replyBy<Schema extends v.GenericSchema>(
  schema: Schema,
  type: string,
  frame: ReplyFrame,
): v.InferOutput<Schema> {
  if (frame.error) {
    const { code, message } = frame.error;
    throw new CallError(code, message ? { message } : {});
  }
  if (frame.type !== `${type}_ack`) throw new CallError(ErrorCode.ERR_WRONG_RESPONSE);
  const result = v.safeParse(schema, frame.payload, { abortEarly: true });
  if (!result.success) throw new CallError(ErrorCode.ERR_WRONG_RESPONSE);
  return result.output;
}
