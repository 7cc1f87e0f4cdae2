import { AudioLines, type LucideIcon, Radio, UsersRound, Video } from 'lucide-react';
import type { RoomType } from '../../../protocol/room-entities.ts';
import { m } from '../../core/i18n/generated/messages.js';
import { displayName } from '../calling/call-state.ts';
import { givenName } from './room-name.ts';
import type { RoomFacts, RoomPerson } from '../../../react/index.ts';

/** The name, the purpose and the icon of a type of room. */
interface TypeWords {
  readonly Icon: LucideIcon;
  name(): string;
  hint(): string;
}

/** The types in the order of lists: small rooms before large ones, video before sound. */
export const TYPE_ORDER = [
  'small_room_for_video',
  'small_room_for_audio_only',
  'large_room_for_video',
  'large_room_for_audio_only',
] as const satisfies readonly RoomType[];

export const TYPE_WORDS: Readonly<Record<RoomType, TypeWords>> = {
  small_room_for_video: { Icon: Video, name: m.rooms_type_video, hint: m.rooms_type_video_hint },
  small_room_for_audio_only: { Icon: AudioLines, name: m.rooms_type_voice, hint: m.rooms_type_voice_hint },
  large_room_for_video: { Icon: UsersRound, name: m.rooms_type_large_video, hint: m.rooms_type_large_video_hint },
  large_room_for_audio_only: { Icon: Radio, name: m.rooms_type_large_voice, hint: m.rooms_type_large_voice_hint },
};

/** Returns the name of a room. A room without a name has that of its first user. */
export function roomName(room: Pick<RoomFacts, 'customItems' | 'people'>): string {
  const name = givenName(room);
  if (name !== '') return name;
  const [first] = room.people;
  return first === undefined ? m.rooms_unnamed() : m.rooms_unnamed_of({ name: displayName(first) });
}

/** Returns the name of a participant, with a mark for this user. */
export function personName(person: RoomPerson): string {
  return person.isMe ? m.room_me() : displayName(person);
}
