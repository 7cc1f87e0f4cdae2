/** The names of the messages on a realtime channel: commands, their replies (`dial_ack`), events. */
import type { CommandType } from '../../../src/protocol/messages/commands.ts';
import { COMMANDS } from '../../../src/protocol/messages/commands.ts';
import { EVENTS, type ServerEventType } from '../../../src/protocol/messages/events.ts';
import {
  ROOM_COMMANDS,
  ROOM_EVENTS,
  type RoomCommandType,
  type RoomEventType,
} from '../../../src/protocol/messages/rooms.ts';

type AnyCommandType = CommandType | RoomCommandType;
export type MessageName = AnyCommandType | `${AnyCommandType}_ack` | ServerEventType | RoomEventType;

const typesOf = (groups: Readonly<Record<string, object>>): string[] => Object.values(groups).flatMap(Object.keys);

export const MESSAGE_NAMES: readonly string[] = [
  ...new Set([
    ...[...typesOf(COMMANDS), ...Object.keys(ROOM_COMMANDS)].flatMap((type) => [type, `${type}_ack`]),
    ...typesOf(EVENTS),
    ...Object.keys(ROOM_EVENTS),
  ]),
];
