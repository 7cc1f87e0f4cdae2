/**
 * Calls between the library over wrtc and other WebRTC stacks. The users of the other stacks speak the wire protocol by
 * themselves.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { scaled } from '../../tools/run/machine-factor.ts';
import { createExchange, type TestExchange } from './exchange.ts';
import { ForeignUser } from './interop/foreign-user.ts';
import type { ForeignStack } from './interop/foreign-peer.ts';
import { LibraryUser } from './interop/library-user.ts';
import { NODE_DATACHANNEL } from './interop/node-datachannel-stack.ts';
import { AIORTC } from './interop/aiortc-stack.ts';
import { WERIFT } from './interop/werift-stack.ts';

const [LIBRARY_TONE, FOREIGN_TONE] = [440, 660];
const CONNECT_MS = scaled(15_000);
const HEAR_MS = scaled(10_000);
/** The frequencies of a codec with 8 kHz and of the meter differ by this much. Hertz. */
const SAME_HZ = 6;
/** The windows of a tone that count as heard: a second. */
const WINDOWS = 5;
const PICTURES = 5;

let exchange: TestExchange;
const undo: (() => void | Promise<void>)[] = [];
beforeAll(async () => {
  exchange = await createExchange();
});
afterEach(async () => {
  for (const one of undo.splice(0).reverse()) await one();
});
afterAll(() => exchange.close());

async function usersOf(stack: ForeignStack): Promise<{ library: LibraryUser; foreign: ForeignUser }> {
  const library = await LibraryUser.signIn(exchange.url, 'alice', LIBRARY_TONE);
  undo.push(() => library.close());
  const foreign = await ForeignUser.signIn(exchange.url, 'bob', stack, FOREIGN_TONE);
  undo.push(() => foreign.close());
  return { library, foreign };
}

/** Waits until each side hears the tone of the other. */
async function bothHear({ library, foreign }: { library: LibraryUser; foreign: ForeignUser }): Promise<void> {
  // What arrived before does not count.
  library.received();
  foreign.peer?.heard();
  await expect.poll(() => heardBy(library), { timeout: HEAR_MS, interval: 1_200 }).toBe(true);
  await expect.poll(() => heardByForeign(foreign), { timeout: HEAR_MS, interval: 1_200 }).toBe(true);
}

function heardBy(library: LibraryUser): boolean {
  const { tone, carried } = library.received();
  return tone !== null && Math.abs(tone - FOREIGN_TONE) <= SAME_HZ && carried >= WINDOWS;
}

function heardByForeign({ peer }: ForeignUser): boolean {
  const { frequency, carried } = peer?.heard() ?? { frequency: null, carried: 0 };
  return frequency !== null && Math.abs(frequency - LIBRARY_TONE) <= SAME_HZ && carried >= WINDOWS;
}

describe.each([WERIFT, NODE_DATACHANNEL, AIORTC])('with $name', (stack) => {
  test(
    'the library dials: tones pass both ways, a hold silences them, and the end has the same result on both sides',
    async (context) => {
      if (stack.missing !== undefined) context.skip(stack.missing);
      const { library, foreign } = await usersOf(stack);
      const call = library.dial('bob', stack.echoesVideo);
      const connected = new Promise<void>((resolve) => (call.onConnected = () => resolve()));
      await Promise.race([connected, rejectAfter(CONNECT_MS, () => `not connected: ${foreign.faults.join('; ')}`)]);
      await bothHear({ library, foreign });
      if (stack.echoesVideo) {
        await expect
          .poll(() => library.received().pictures, { timeout: HEAR_MS, interval: 1_000 })
          .toBeGreaterThan(PICTURES);
      }

      await call.hold();
      await expect.poll(() => foreign.holds).toEqual([true]);
      foreign.peer?.heard();
      await expect.poll(() => foreign.peer?.heard().carried, { timeout: HEAR_MS, interval: 1_200 }).toBe(0);
      await call.unhold();
      await expect.poll(() => foreign.holds).toEqual([true, false]);
      await bothHear({ library, foreign });

      call.end();
      await expect.poll(() => foreign.ended, { timeout: HEAR_MS }).toBe('completed');
      expect(call.endResult).toBe('COMPLETED');
      expect(foreign.faults).toEqual([]);
    },
    scaled(60_000),
  );

  test(
    'the library is called: tones pass both ways, after a restart of ICE by a stack that has one, and after a hold',
    async (context) => {
      if (stack.missing !== undefined) context.skip(stack.missing);
      const { library, foreign } = await usersOf(stack);
      await foreign.dial('alice', false);
      await expect.poll(() => library.isConnected, { timeout: CONNECT_MS }).toBe(true);
      await bothHear({ library, foreign });
      if (stack.restartsIce) {
        const before = ufragOf(library);
        await foreign.restartIce();
        await expect.poll(() => ufragOf(library), { timeout: HEAR_MS }).not.toBe(before);
        await bothHear({ library, foreign });
      }

      await foreign.hold(true);
      await expect.poll(() => library.call?.isOnHold).toBe(true);
      await foreign.hold(false);
      await expect.poll(() => library.call?.isOnHold).toBe(false);
      await bothHear({ library, foreign });

      await foreign.end();
      await expect.poll(() => library.call?.endResult, { timeout: HEAR_MS }).toBe('COMPLETED');
      expect(foreign.faults).toEqual([]);
    },
    scaled(60_000),
  );
});

/** Returns the credentials of ICE that the library uses. */
const ufragOf = ({ platform }: LibraryUser): string | undefined =>
  /a=ice-ufrag:(\S+)/.exec(platform.peerConnection?.localDescription?.sdp ?? '')?.[1];

const rejectAfter = (ms: number, why: () => string): Promise<never> =>
  new Promise((_, reject) => {
    const timer = setTimeout(() => reject(new Error(why())), ms);
    undo.push(() => clearTimeout(timer));
  });
