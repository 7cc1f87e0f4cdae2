/** The rooms of the demo world: creates them where they are missing, and keeps their people in them. */
import { DEMO_ROOMS, type DemoRoom } from '../../fixtures/demo-rooms.ts';
import { DEFAULT_APP_ID } from '../../sim/server/defaults.ts';
import { nodeClock } from '../../sim/server/node-ports.ts';
import type { Timer } from '../../src/common/clock.ts';
import { CROWD_SIGNAL, crowdTone } from './gather.ts';
import { signInForRooms } from './room-requests.ts';
import { startVisitor, type Visitor } from './visitor.ts';

/** The custom item with the name of a room, which the web app shows. */
const NAME_ITEM = 'name';
/** The wait before the people return to a room that was deleted, or whose process ended. Milliseconds. */
const RETURN_MS = 5_000;

/** Opens the demo rooms of an exchange. Returns the function that ends them. A failure is reported in a line, and tried again. */
export function openDemoRooms(server: string, warn: (message: string) => void): () => void {
  let visitor: Visitor | null = null;
  let retry: Timer | null = null;
  let isOver = false;

  const again = () => {
    visitor = null;
    if (!isOver) retry ??= nodeClock.after(RETURN_MS, open);
  };
  const open = () => {
    retry = null;
    start().catch((error: unknown) => {
      warn(`The demo rooms cannot be opened: ${error instanceof Error ? error.message : String(error)}`);
      again();
    });
  };
  const start = async () => {
    const rooms = await Promise.all(
      DEMO_ROOMS.map(async (room) => ({
        roomId: await findOrCreate(server, room),
        video: room.type.endsWith('_video'),
        members: room.people.map((userId, at) => ({
          server,
          appId: DEFAULT_APP_ID,
          userId,
          media: { tone: crowdTone(at), ...CROWD_SIGNAL },
        })),
      })),
    );
    if (isOver) return;
    const crowd = startVisitor(
      { type: 'crowd', rooms, takesTurns: true, sleeps: true },
      (event) => {
        // The process ends, and the people return.
        if (event.type === 'dispersed') crowd.leave();
        if (event.type !== 'failed') return;
        warn(`The demo rooms are empty: ${event.message}`);
        crowd.kill();
      },
      nodeClock,
    );
    visitor = crowd;
    const gone = () => {
      if (visitor === crowd) again();
    };
    crowd.done.then(gone, gone);
  };
  open();

  return () => {
    isOver = true;
    retry?.cancel();
    visitor?.kill();
  };
}

/** Returns the id of a demo room: that of a former run with the same database, or of a new room. */
async function findOrCreate(server: string, { name, type, people }: DemoRoom): Promise<string> {
  const [userId = ''] = people;
  const requests = await signInForRooms({ server, appId: DEFAULT_APP_ID, userId });
  const rooms = await requests.list({ type, state: 'open', created_by_user_ids: userId }, 10);
  const known = rooms.find(({ custom_items }) => custom_items[NAME_ITEM] === name);
  return (known ?? (await requests.create(type, { [NAME_ITEM]: name }))).room_id;
}
