/** The room that a client knows, as data: what an event or a snapshot of the exchange changes in it. */
import type { RoomEventPayload } from '../../protocol/messages/rooms.ts';
import type { RoomEvent } from '../../protocol/messages/rooms.ts';
import type { ParticipantPayload, RoomPayload } from '../../protocol/room-entities.ts';

/** A change of a room. The participant has its new state. */
export type RoomChange =
  | {
      readonly what: 'entered' | 'connected' | 'exited' | 'audio' | 'video';
      readonly participant: ParticipantPayload;
    }
  | { readonly what: 'itemsUpdated' | 'itemsDeleted'; readonly keys: readonly string[] };

export interface Changed {
  readonly room: RoomPayload;
  readonly changes: readonly RoomChange[];
}

/** An event that its room counts: about a participant or the custom items. */
export type CountedEvent = Extract<
  RoomEvent,
  { readonly type: `participant_${string}` | 'custom_items_update' | 'custom_items_delete' }
>;

/** Custom items at one moment. */
export type ItemsAt = Pick<RoomEventPayload<'custom_items_update'>, 'custom_items' | 'affected_at'>;

/** Returns the room after one of its events. */
export function afterEvent(room: RoomPayload, event: CountedEvent): Changed {
  if (event.type === 'custom_items_update') return afterItems(room, event.payload, event.payload.updated, []);
  if (event.type === 'custom_items_delete') return afterItems(room, event.payload, [], event.payload.deleted);
  const { participant } = event.payload;
  const known = room.current_participants.find(isParticipant(participant));
  if (event.type === 'participant_exited' || event.type === 'participant_disconnected') {
    return {
      room: { ...room, current_participants: room.current_participants.filter((one) => one !== known) },
      changes: known ? [{ what: 'exited', participant }] : [],
    };
  }
  const current_participants = known
    ? room.current_participants.map((one) => (one === known ? participant : one))
    : [...room.current_participants, participant];
  return { room: { ...room, current_participants }, changes: changesOf(known, participant) };
}

/**
 * Returns the room after custom items were changed. Older items than the known ones are not applied (§3).
 *
 * @param updated - the keys of the items that were added or changed.
 * @param deleted - the keys of the items that were deleted.
 */
export function afterItems(
  room: RoomPayload,
  { custom_items, affected_at }: ItemsAt,
  updated: readonly string[],
  deleted: readonly string[],
): Changed {
  if (affected_at <= room.custom_items_affected_at) return { room, changes: [] };
  return {
    room: { ...room, custom_items, custom_items_affected_at: affected_at },
    changes: [
      ...(updated.length > 0 ? [{ what: 'itemsUpdated', keys: updated } as const] : []),
      ...(deleted.length > 0 ? [{ what: 'itemsDeleted', keys: deleted } as const] : []),
    ],
  };
}

/**
 * Returns the room after it was read again. An older snapshot than the known room changes nothing.
 *
 * @param wallTime - the time of the exit of participants who are gone, milliseconds since the epoch.
 */
export function afterSnapshot(room: RoomPayload, snapshot: RoomPayload, wallTime: number): Changed {
  if (snapshot.sequence_number < room.sequence_number) return { room, changes: [] };
  const former = room.current_participants;
  // A large room is sent with shortened users (ADR 0027), so the users of known participants stay.
  const current_participants = snapshot.current_participants.map((one) => {
    const known = former.find(isParticipant(one));
    return known ? { ...one, user: known.user } : one;
  });
  const gone = former.filter((one) => !current_participants.some(isParticipant(one)));
  const items = afterItems(
    room,
    { custom_items: snapshot.custom_items, affected_at: snapshot.custom_items_affected_at },
    Object.keys(snapshot.custom_items).filter((key) => snapshot.custom_items[key] !== room.custom_items[key]),
    Object.keys(room.custom_items).filter((key) => !Object.hasOwn(snapshot.custom_items, key)),
  );
  return {
    room: {
      ...snapshot,
      custom_items: items.room.custom_items,
      custom_items_affected_at: items.room.custom_items_affected_at,
      current_participants,
    },
    changes: [
      ...gone.map((one) => ({ what: 'exited', participant: exited(one, wallTime) }) as const),
      ...current_participants.flatMap((one) => changesOf(former.find(isParticipant(one)), one)),
      ...items.changes,
    ],
  };
}

const isParticipant =
  ({ participant_id }: ParticipantPayload) =>
  (one: ParticipantPayload): boolean =>
    one.participant_id === participant_id;

const exited = (participant: ParticipantPayload, wallTime: number): ParticipantPayload => ({
  ...participant,
  state: 'exited',
  updated_at: wallTime,
  exited_at: wallTime,
});

function changesOf(known: ParticipantPayload | undefined, participant: ParticipantPayload): RoomChange[] {
  const isConnected = participant.state === 'connected';
  if (!known) {
    const entered: RoomChange = { what: 'entered', participant };
    return isConnected ? [entered, { what: 'connected', participant }] : [entered];
  }
  return [
    ...(isConnected && known.state !== 'connected' ? [{ what: 'connected', participant } as const] : []),
    ...(known.is_audio_on === participant.is_audio_on ? [] : [{ what: 'audio', participant } as const]),
    ...(known.is_video_on === participant.is_video_on ? [] : [{ what: 'video', participant } as const]),
  ];
}
