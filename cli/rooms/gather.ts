/** Fills a room with simulated participants, in a process of their own. */
import { nodeClock } from '../../sim/server/node-ports.ts';
import { demoPeople } from '../../sim/server/demo-people.ts';
import { CommandError } from '../command-error.ts';
import { PICTURE } from '../defaults.ts';
import type { SignedIn } from '../headless/messages.ts';
import type { Crowd } from '../headless/room/room-messages.ts';
import { FAILURES, startVisitor } from './visitor.ts';

export interface Gathered {
  /** Resolves when all are in the room. Rejects with a CommandError. */
  readonly gathered: Promise<void>;
  /** Leaves with all of them. Resolves when they are gone. */
  leave(): Promise<void>;
}

/** The time in which a crowd leaves. Then its process is killed, and its participants expire. Milliseconds. */
const LEAVE_LIMIT_MS = 5_000;
/** The volume of a simulated participant, so that the mix of many does not clip, and the size of the picture. */
export const CROWD_SIGNAL = { ...PICTURE, fps: 12, volume: 0.1 };
/** The distance of the tones of simulated participants, hertz. */
const TONE_FROM = 300;
const TONE_STEP = 47;
const TONES = 50;

/** Returns the tone of the n-th simulated participant, which a meter distinguishes from those of the others. */
export const crowdTone = (at: number): number => TONE_FROM + TONE_STEP * (at % TONES);

export function gather(
  user: SignedIn,
  { roomId, size, video }: { readonly roomId: string; readonly size: number; readonly video: boolean },
): Gathered {
  const crowd: Crowd = {
    type: 'crowd',
    takesTurns: false,
    sleeps: false,
    rooms: [{ roomId, video, members: membersOf(user, size) }],
  };
  let enter: () => void = () => undefined;
  let refuse: (error: unknown) => void = () => undefined;
  const gathered = new Promise<void>((resolve, reject) => {
    enter = resolve;
    refuse = reject;
  });
  const visitor = startVisitor(
    crowd,
    (event) => {
      if (event.type === 'gathered') enter();
      if (event.type !== 'failed') return;
      refuse(new CommandError(`--with: ${event.message}`, FAILURES[event.cause]));
      visitor.kill();
    },
    nodeClock,
  );
  visitor.done.catch(refuse);
  return {
    gathered,
    async leave() {
      visitor.leave();
      const limit = nodeClock.after(LEAVE_LIMIT_MS, () => visitor.kill());
      await visitor.done.catch(() => undefined);
      limit.cancel();
    },
  };
}

/**
 * Returns the members of a crowd: the demo users in turns. A user with a token is known at an exchange without demo
 * users, so every member is a client of that user.
 */
function membersOf(user: SignedIn, size: number): Crowd['rooms'][number]['members'] {
  const others = demoPeople()
    .map(({ u_id }) => u_id)
    .filter((id) => id !== user.userId);
  return Array.from({ length: size }, (_, at) => ({
    ...user,
    userId: user.token === undefined ? (others[at % others.length] ?? user.userId) : user.userId,
    media: { tone: crowdTone(at), ...CROWD_SIGNAL },
  }));
}
