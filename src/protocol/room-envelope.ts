/** The frames of rooms, and of every command that the exchange reads. */
import {
  commandBy,
  eventBy,
  frameValue,
  replyBy,
  type AnyCommandFrame,
  type ReplyFrame,
  type RoomCommandFrame,
  type RoomEventFrame,
} from './envelope.ts';
import { COMMANDS } from './messages/commands.ts';
import {
  ROOM_COMMANDS,
  ROOM_EVENTS,
  ROOM_GROUP,
  ROOM_REPLIES,
  type RoomCommandType,
  type RoomReply,
} from './messages/rooms.ts';

/** Every command, by group and type. */
export const ALL_COMMANDS = {
  ...COMMANDS,
  [ROOM_GROUP]: { ...COMMANDS[ROOM_GROUP], ...ROOM_COMMANDS },
};

/**
 * Reads any command from the text of a frame.
 * @throws FrameFault when the text is too large, is not JSON, has no known group and type, or breaks its schema.
 */
export const decodeCommand = (text: string): AnyCommandFrame => anyCommandFrom(frameValue(text));

/**
 * Reads any command from a parsed value: the body of the HTTP fallback.
 * @throws FrameFault as {@link decodeCommand}.
 */
export const anyCommandFrom = (value: unknown): AnyCommandFrame =>
  // The group and type chose the schema, so the three belong together.
  commandBy(ALL_COMMANDS, value) as AnyCommandFrame;

/**
 * Reads a command about a room from a parsed value.
 * @throws FrameFault as {@link decodeCommand}.
 */
export const roomCommandFrom = (value: unknown): RoomCommandFrame =>
  commandBy({ [ROOM_GROUP]: ROOM_COMMANDS }, value) as RoomCommandFrame;

/**
 * Reads an event of a room from a parsed value.
 * @throws FrameFault when the value is not an event of a room, or breaks its schema.
 */
export const roomEventFrom = (value: unknown): RoomEventFrame =>
  eventBy({ [ROOM_GROUP]: ROOM_EVENTS }, value) as RoomEventFrame;

/**
 * Reads the payload of a reply to a command about a room.
 * @throws CallError with the code of the exchange when the reply is a refusal. `ERR_WRONG_RESPONSE` when the reply
 *   belongs to another command or has another shape.
 */
export const readRoomReply = <T extends RoomCommandType>(type: T, frame: ReplyFrame): RoomReply<T> =>
  replyBy(ROOM_REPLIES[type], type, frame);

/** Returns whether a command is about a room. */
export const isRoomCommand = (frame: AnyCommandFrame): frame is RoomCommandFrame =>
  frame.cmd === ROOM_GROUP && Object.hasOwn(ROOM_COMMANDS, frame.type);
