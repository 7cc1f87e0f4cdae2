/** The actions of `ringback room`: create, list, join, watch and delete. */
import { nodeClock } from '../../sim/server/node-ports.ts';
import { ROOM_LIMITS } from '../../src/protocol/limits.ts';
import type { RoomPayload, RoomType } from '../../src/protocol/room-entities.ts';
import type { MediaKind } from '../arguments/wanted.ts';
import { PICTURE } from '../defaults.ts';
import { EXIT } from '../exit-codes.ts';
import type { SignedIn } from '../headless/messages.ts';
import type { RoomReport, Visit } from '../headless/room/room-messages.ts';
import { onInterrupt } from '../interrupt.ts';
import { processOutput } from '../process-output.ts';
import { writeLine } from '../reporters/printable.ts';
import { chooseRoomReporter } from '../reporters/room.ts';
import { gather } from '../rooms/gather.ts';
import { signInForRooms, type RoomFilter } from '../rooms/room-requests.ts';
import { FAILURES, startVisitor, type Visitor } from '../rooms/visitor.ts';

const { out, err } = processOutput;
const print = (value: unknown) => out.write(`${JSON.stringify(value)}\n`);

/** Creates a room, and prints its id. */
export async function create(
  user: SignedIn,
  {
    type,
    items,
    json,
  }: { readonly type: RoomType; readonly items: Readonly<Record<string, string>>; readonly json?: boolean },
): Promise<number> {
  const room = await (await signInForRooms(user)).create(type, items);
  if (json) print(room);
  else writeLine(out, room.room_id);
  return EXIT.ok;
}

/** Lists rooms, newest first. */
export async function list(
  user: SignedIn,
  { limit, json, ...filter }: RoomFilter & { readonly limit: number; readonly json?: boolean },
): Promise<number> {
  const rooms = await (await signInForRooms(user)).list(filter, limit);
  if (json) print(rooms);
  else if (rooms.length === 0) err.write('No rooms. "ringback room create" makes one.\n');
  else for (const room of rooms) writeLine(out, roomLine(room));
  return EXIT.ok;
}

/** Formats a room of the list: its id, type, state, participants and creator. */
function roomLine({ room_id, room_type, state, current_participants, created_by }: RoomPayload): string {
  const users = [...new Set(current_participants.map(({ user }) => user.user_id))];
  const most = ROOM_LIMITS.roomSizes[room_type];
  const named = users.length === 0 ? '' : `  ${users.slice(0, 6).join(', ')}${users.length > 6 ? ', ...' : ''}`;
  const count = `${current_participants.length}/${most}`;
  return `${room_id}  ${room_type.padEnd(25)}  ${state.padEnd(7)}  ${count.padStart(7)}  by ${created_by}${named}`;
}

/** Deletes a room for all its participants. */
export async function remove(user: SignedIn, roomId: string): Promise<number> {
  await (await signInForRooms(user)).delete(roomId);
  writeLine(out, `deleted ${roomId}`);
  return EXIT.ok;
}

export interface StayOptions {
  readonly publishes: boolean;
  readonly video: boolean;
  readonly tone: number;
  readonly lengthMs?: number | undefined;
  readonly kickSiblings: boolean;
  /** The number of simulated participants. */
  readonly crowd: number;
  readonly require: readonly MediaKind[];
  readonly json: boolean;
}

/** Enters a room, shows a meter for each participant, and leaves after the time or Ctrl-C. Returns the exit code. */
export async function stay(user: SignedIn, roomId: string, options: StayOptions): Promise<number> {
  const { publishes, video, tone, lengthMs, kickSiblings, json } = options;
  const crowd = options.crowd > 0 ? gather(user, { roomId, size: options.crowd, video }) : null;
  await crowd?.gathered;
  const reporter = chooseRoomReporter(processOutput, json, process.env);
  let report: RoomReport | null = null;
  let exitCode: number | null = null;
  const visit: Visit = {
    type: 'visit',
    ...user,
    roomId,
    publishes,
    video,
    kickSiblings,
    media: { tone, ...PICTURE },
    ...(lengthMs === undefined ? {} : { lengthMs }),
  };
  let interrupted = false;
  const visitor: Visitor = startVisitor(
    visit,
    (event) => {
      if (event.type === 'ready' || event.type === 'gathered' || event.type === 'dispersed') return;
      if (event.type === 'failed') {
        exitCode = FAILURES[event.cause];
        reporter.failed({ ...event.error, message: event.message });
        visitor.kill();
        return;
      }
      reporter.event(event);
      if (event.type !== 'left') return;
      report = event.report;
      visitor.kill();
    },
    nodeClock,
  );
  const release = onInterrupt((count) => {
    interrupted = true;
    if (count === 1) visitor.leave();
    else visitor.kill();
  });
  try {
    interrupted = (await visitor.done).interrupted || interrupted;
  } finally {
    release();
    await crowd?.leave();
  }
  if (interrupted) return EXIT.interrupted;
  return exitCode ?? (report ? judged(report, options.require) : EXIT.crashed);
}

/** Returns the exit code of a stay that ended by itself. Names each participant whose required media did not arrive. */
function judged({ result, participants, mix }: RoomReport, required: readonly MediaKind[]): number {
  if (result !== 'left') return EXIT.failed;
  let isMet = true;
  const refuse = (line: string) => {
    isMet = false;
    writeLine(err, line);
  };
  for (const kind of required) {
    if (participants.length === 0) refuse(`--require ${kind}: no other participant was in the room.`);
    // The mix of a large room has the sound of all.
    const judgedOnes = kind === 'audio' && mix ? [{ user: 'the mix', received: mix.received }] : participants;
    for (const { user, received } of judgedOnes) {
      const arrived = received[kind];
      // The sound of several speakers is not the test tone.
      const isThere = user === 'the mix' ? (arrived?.expectedMs ?? 0) > 0 && hasLevel(received) : arrived?.ok === true;
      if (!isThere && arrived?.ok !== null) refuse(`--require ${kind}: ${kind} of ${user} did not arrive.`);
    }
  }
  return isMet ? EXIT.ok : EXIT.unmet;
}

const hasLevel = ({ audio }: RoomReport['participants'][number]['received']): boolean =>
  audio !== undefined && audio.level !== null;
