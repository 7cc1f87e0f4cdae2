/** Clients in a room of the virtual world, with everything that their hosts are told. */
import type { CustomItems } from '../../../../src/calls/host/custom-items.ts';
import type { EnterParams, Room, RoomEventMap } from '../../../../src/calls/room/room.ts';
import type { RoomType } from '../../../../src/calls/room/room-enumerations.ts';
import type { CallWorld, MediaPeer } from './call-world.ts';

/** A client and its room object. */
export interface Guest {
  readonly peer: MediaPeer;
  readonly room: Room;
  /** The events of the room, with what they were about. */
  readonly told: string[];
}

/** The code of the error that a promise rejects with. 0 when it resolves. */
export const codeOf = (promise: Promise<unknown>): Promise<number> =>
  promise.then(
    () => 0,
    (error: { code: number }) => error.code,
  );

/** The code of the error that a function throws. 0 when it returns. */
export function thrown(act: () => unknown): number {
  try {
    act();
    return 0;
  } catch (error) {
    return (error as { code: number }).code;
  }
}

const EVENTS: { readonly [T in keyof RoomEventMap]: (...args: RoomEventMap[T]) => string } = {
  remoteParticipantEntered: ({ user, state }) => `${user.userId} ${state}`,
  remoteParticipantExited: ({ user, state }) => `${user.userId} ${state}`,
  remoteParticipantStreamStarted: ({ user }) => user.userId,
  remoteAudioSettingsChanged: ({ user, isAudioEnabled }) => `${user.userId} ${isAudioEnabled}`,
  remoteVideoSettingsChanged: ({ user, isVideoEnabled }) => `${user.userId} ${isVideoEnabled}`,
  localParticipantDisconnected: ({ user }) => user.userId,
  localParticipantReconnected: ({ user }) => user.userId,
  localScreenShareStopped: ({ user }) => user.userId,
  localMissingDevicesChanged: ({ missingDevices }) => missingDevices.map(({ kind }) => kind).join(' '),
  customItemsUpdated: (items: CustomItems, keys: string[]) => `${JSON.stringify(items)} ${keys.join(' ')}`,
  customItemsDeleted: (items: CustomItems, keys: string[]) => `${JSON.stringify(items)} ${keys.join(' ')}`,
  deleted: () => '',
  invitationAccepted: ({ inviter, invitee }) => `${inviter.userId} ${invitee.userId}`,
  invitationDeclined: ({ inviter, invitee }) => `${inviter.userId} ${invitee.userId}`,
  invitationCanceled: ({ inviter, invitee }) => `${inviter.userId} ${invitee.userId}`,
  error: ({ code }, participant) => `${code} ${participant?.user.userId ?? ''}`,
};

/** Follows a room of a client. */
export function follow(peer: MediaPeer, room: Room): Guest {
  const told: string[] = [];
  for (const [event, words] of Object.entries(EVENTS)) {
    // The name of an event chooses its arguments.
    const listener = (...args: unknown[]) =>
      void told.push(`${event} ${(words as (...all: unknown[]) => string)(...args)}`.trim());
    room.on(event as keyof RoomEventMap, listener);
  }
  peer.rooms.push(room);
  return { peer, room, told };
}

/** A client creates a room, and enters it. */
export async function hosting(
  world: CallWorld,
  peer: MediaPeer,
  roomType: RoomType = 'small_room_for_video',
  params?: EnterParams,
): Promise<Guest> {
  const guest = follow(peer, await world.done(peer.client.createRoom({ roomType })));
  await world.done(guest.room.enter(params));
  return guest;
}

/** A client reads a room, and enters it. */
export async function entering(
  world: CallWorld,
  peer: MediaPeer,
  { room: { roomId } }: Guest,
  params?: EnterParams,
): Promise<Guest> {
  const guest = follow(peer, await world.done(peer.client.fetchRoomById(roomId)));
  await world.done(guest.room.enter(params));
  return guest;
}

/** The users who are in the room by the view of a client. The client itself is first. */
export const usersIn = ({ room }: Guest): string[] =>
  [room.localParticipant, ...room.remoteParticipants].flatMap((one) => one?.user.userId ?? []);
