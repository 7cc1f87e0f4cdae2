/** The actions of a user about rooms and invitations. */
import type { RoomFunctions } from '../../../src/calls/client/room-functions.ts';
import type { Room } from '../../../src/calls/room/room.ts';
import type { RoomListQuery, RoomListQueryParams } from '../../../src/calls/room/room-list-query.ts';
import type { RoomActionName } from '../format/actions.ts';
import { type Acted, ActionImpossible, type Parameters } from '../run/world.ts';
import type { UserRooms } from './user-rooms.ts';

interface ActingInRooms {
  readonly library: RoomFunctions;
  readonly rooms: UserRooms;
}

/** The actions about rooms. A step waits for the answer of the exchange, unless it has `waits: false`. */
export const ROOM_ACTIONS: Readonly<Record<RoomActionName, (acting: ActingInRooms, parameters: Parameters) => Acted>> =
  {
    createRoom,
    fetchRoom: ({ library, rooms }, { room }) =>
      waiting(library.fetchRoomById(room as string).then((read) => rooms.use(read))),
    listRooms: ({ library, rooms }, parameters) => {
      rooms.query = library.createRoomListQuery(queryOf(parameters));
      return turnPage(rooms, (query) => query.next());
    },
    nextRooms: ({ rooms }) => turnPage(rooms, (query) => query.next()),
    previousRooms: ({ rooms }) => turnPage(rooms, (query) => query.prev()),
    fetchItems: ({ rooms }) => waiting(rooms.current.room.fetchCustomItems()),
    enter,
    exit: ({ rooms }) => {
      rooms.current.room.exit();
      return {};
    },
    deleteRoom: ({ rooms }) => waiting(rooms.current.room.delete()),
    invite: ({ rooms }, { user }) =>
      waiting(rooms.current.room.sendInvitation(user as string).then((sent) => rooms.addSent(sent))),
    acceptInvitation: ({ rooms }) => {
      const invitation = rooms.received;
      rooms.use(invitation.room);
      return waiting(invitation.accept().then(() => rooms.settle(invitation)));
    },
    declineInvitation: ({ rooms }) => {
      const invitation = rooms.received;
      return waiting(invitation.decline().then(() => rooms.settle(invitation)));
    },
    cancelInvitation: ({ rooms }) => {
      const invitation = rooms.sent;
      return waiting(invitation.cancel().then(() => rooms.settle(invitation)));
    },
    view: ({ rooms }, { user, element }) => {
      const shown = rooms.current.view(user as string, element as 'audio' | 'video' | 'none');
      return shown > 0 ? {} : { idle: `${String(user)} is not in the room` };
    },
    setRoomAudio: ({ rooms }, { on = true }) => {
      rooms.current.setMix(on as boolean);
      return {};
    },
  };

const waiting = (done: Promise<unknown>): Acted => ({ done, waits: true });

function createRoom({ library, rooms }: ActingInRooms, { type = 'small_room_for_video', items }: Parameters): Acted {
  let made: Room | undefined;
  const done = library
    .createRoom({
      roomType: type as Room['roomType'],
      ...(items === undefined ? {} : { customItems: items as Record<string, string> }),
    })
    .then((room) => {
      made = room;
      rooms.use(room);
    });
  const value = {
    get id() {
      return made?.roomId;
    },
  };
  return { ...waiting(done), value };
}

/** Enters a room: the one with this id, which is read first if the library does not know it, or the current one. */
function enter({ library, rooms }: ActingInRooms, { room: roomId, audio, video, kickSiblings }: Parameters): Acted {
  const enterIt = async (room: Room): Promise<void> => {
    const participation = rooms.use(room);
    await room.enter({
      audioEnabled: audio as boolean | undefined,
      videoEnabled: video as boolean | undefined,
      kickSiblings: kickSiblings as boolean | undefined,
    });
    participation.entered();
  };
  if (roomId === undefined) return waiting(enterIt(rooms.current.room));
  const known = library.getCachedRoomById(roomId as string);
  return waiting(known ? enterIt(known) : library.fetchRoomById(roomId as string).then(enterIt));
}

function queryOf({ type, state, limit, rooms, creators, participants }: Parameters): RoomListQueryParams {
  return {
    type: type as RoomListQueryParams['type'],
    state: state as RoomListQueryParams['state'],
    limit: limit as number | undefined,
    roomIds: rooms as readonly string[] | undefined,
    createdByUserIds: creators as readonly string[] | undefined,
    currentParticipantCount: participants as readonly [number, number] | undefined,
  };
}

function turnPage(rooms: UserRooms, turn: (query: RoomListQuery) => Promise<readonly Room[]>): Acted {
  const { query } = rooms;
  if (!query) throw new ActionImpossible('this user has listed no rooms');
  return waiting(turn(query).then((page) => void (rooms.page = page.map(({ roomId }) => roomId))));
}
