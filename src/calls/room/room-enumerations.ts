/** Enumerations of rooms that a host may use instead of the texts. They are part of the entry, without the code of rooms. */

/** The types of a room (§3). The type decides the direction of media (§9) and the most participants (D26). */
export const RoomType = Object.freeze({
  /** Video, up to 6 participants. */
  SMALL_ROOM_FOR_VIDEO: 'small_room_for_video',
  /** Sound, up to 100 participants, who hear one mix. */
  LARGE_ROOM_FOR_AUDIO_ONLY: 'large_room_for_audio_only',
  /** Sound, up to 6 participants. */
  SMALL_ROOM_FOR_AUDIO_ONLY: 'small_room_for_audio_only',
  /** Video, up to 100 participants, who hear one mix. */
  LARGE_ROOM_FOR_VIDEO: 'large_room_for_video',
});
export type RoomType = (typeof RoomType)[keyof typeof RoomType];

/** The states of a room. */
export const RoomState = Object.freeze({ OPEN: 'open', DELETED: 'deleted' });
export type RoomState = (typeof RoomState)[keyof typeof RoomState];

/** The states of a participant: without media, with media, and gone (§3). */
export const ParticipantState = Object.freeze({ ENTERED: 'entered', CONNECTED: 'connected', EXITED: 'exited' });
export type ParticipantState = (typeof ParticipantState)[keyof typeof ParticipantState];
