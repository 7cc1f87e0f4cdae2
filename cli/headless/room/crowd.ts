/** A crowd: simulated participants of rooms, each a client of the library with a test signal. */
import type { Client } from '../../../src/calls/client/client.ts';
import { loadedParts } from '../../../src/calls/client/loaded-parts.ts';
import * as rooms from '../../../src/calls/room/rooms-part.ts';
import type { Room } from '../../../src/calls/room/room.ts';
import type { Timer } from '../../../src/common/clock.ts';
import { loadedPart } from '../../../src/common/lazy-part.ts';
import { roomFailureOf } from '../../rooms/room-failure.ts';
import { createWrtcPlatform, type HeadlessPlatform } from '../platform/wrtc-platform.ts';
import { signIn } from '../sign-in.ts';
import type { Crowd, RoomHostEvent } from './room-messages.ts';
import { sendingMedia, type SendingMedia } from './sending-media.ts';

/** The time for which a simulated participant speaks, milliseconds. */
const TURN_MS = 4_000;

export interface RunningCrowd {
  /** Leaves every room. Resolves to false when the exchange knows: the host ends. */
  leave(): Promise<boolean>;
}

type CrowdRoom = Crowd['rooms'][number];

interface Member {
  readonly client: Client;
  readonly platform: HeadlessPlatform;
  readonly room: Room;
  readonly media: SendingMedia;
}

/** Lets a crowd enter its rooms. Emits `gathered`, or `failed` when one of them cannot enter. */
export function startCrowd(
  { rooms: wanted, takesTurns, sleeps }: Crowd,
  emit: (event: RoomHostEvent) => void,
  log: (line: string) => void,
): RunningCrowd {
  const entered: Member[] = [];
  const turns: Timer[] = [];
  let isOver = false;

  const enter = async ({ roomId, video }: CrowdRoom, user: CrowdRoom['members'][number], isFirst: boolean) => {
    const platform = createWrtcPlatform(user.media, (_level, line) => log(line));
    const media = sendingMedia(!sleeps);
    const client = await signIn(user, platform, partsWith(media));
    const room = await client.fetchRoomById(roomId);
    await room.enter({ audioEnabled: !takesTurns || isFirst, videoEnabled: video });
    const member = { client, platform, room, media };
    // Meanwhile the command to leave may have arrived.
    if (isOver) leaveWith(member);
    else entered.push(member);
    return member;
  };
  const fill = async (room: CrowdRoom) => {
    const members: Member[] = [];
    try {
      for (const [at, user] of room.members.entries()) members.push(await enter(room, user, at === 0));
    } catch (error) {
      emit(roomFailureOf(error, 'The entry of the simulated participants', room.roomId));
      return;
    }
    const [first] = members;
    if (isOver || !first) return;
    const disperse = () => emit({ type: 'dispersed', roomId: room.roomId });
    first.room.on('deleted', disperse);
    first.room.on('error', () => first.room.localParticipant ?? disperse());
    if (sleeps) wakeForVisitors(members);
    if (takesTurns && members.length > 1) turns.push(takeTurns(members));
  };
  const started = Promise.all(wanted.map(fill)).then(() => {
    const size = wanted.reduce((sum, { members }) => sum + members.length, 0);
    if (entered.length === size) emit({ type: 'gathered', count: entered.length });
  });

  return {
    async leave() {
      isOver = true;
      for (const turn of turns) turn.cancel();
      await started;
      for (const member of entered) leaveWith(member);
      await Promise.all(entered.map(({ platform }) => platform.requestsSettled()));
      return false;
    },
  };
}

/** Returns the parts of the library, of which that of rooms uses this media. */
function partsWith(media: SendingMedia): ReturnType<typeof loadedParts> {
  const createRooms = (deps: rooms.RoomsPartDeps) =>
    rooms.createRooms({ ...deps, wrapMedia: (startMedia) => media.over(startMedia) });
  return { ...loadedParts(), rooms: loadedPart({ ...rooms, createRooms }) };
}

function leaveWith({ client, room }: Member): void {
  if (room.localParticipant) room.exit();
  client.deauthenticate();
}

/** Starts the media of the members as soon as a client that is none of them is in the room. */
function wakeForVisitors(members: readonly Member[]): void {
  const own = new Set(members.map(({ room }) => room.localParticipant?.participantId));
  const first = members[0] as Member;
  const look = () => {
    const isVisited = first.room.remoteParticipants.some(({ participantId }) => !own.has(participantId));
    if (isVisited) for (const { media } of members) media.wake();
  };
  first.room.on('remoteParticipantEntered', look);
  look();
}

/** Turns one microphone off and the next one on, again and again. */
function takeTurns(members: readonly Member[]): Timer {
  let speaking = 0;
  return (members[0] as Member).platform.clock.every(TURN_MS, () => {
    members[speaking]?.room.localParticipant?.muteMicrophone();
    speaking = (speaking + 1) % members.length;
    members[speaking]?.room.localParticipant?.unmuteMicrophone();
  });
}
