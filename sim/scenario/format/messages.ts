/** The names of the messages on a realtime channel: commands, their replies (`dial_ack`), events. */
import type { CommandType } from '../../../src/protocol/messages/commands.ts';
import { COMMANDS } from '../../../src/protocol/messages/commands.ts';
import { EVENTS, type ServerEventType } from '../../../src/protocol/messages/events.ts';

export type MessageName = CommandType | `${CommandType}_ack` | ServerEventType;

const typesOf = (groups: Readonly<Record<string, object>>): string[] => Object.values(groups).flatMap(Object.keys);

export const MESSAGE_NAMES: readonly string[] = [
  ...new Set([...typesOf(COMMANDS).flatMap((type) => [type, `${type}_ack`]), ...typesOf(EVENTS)]),
];
