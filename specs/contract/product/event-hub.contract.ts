/** What every hub of events does. A hub answers after the work in progress, so each step waits for it. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PresenceChanged } from '../../../src/protocol/product/events.ts';
import type { EventHub, SendFrames } from '../../../sim/product/event-hub.ts';
import type { HandClock } from '../../unit/support/hand-clock.ts';

export const changed = (u_id: string, presence: PresenceChanged['presence'] = 'online'): PresenceChanged => ({
  type: 'presence_changed',
  u_id,
  presence,
  last_seen_at: null,
});

/** A hub under test. */
export interface HubUnderTest {
  readonly clock: HandClock;
  readonly hub: EventHub;
  /** Resolves when no work is in progress. */
  settled(): Promise<void>;
  close(): void | Promise<void>;
}

/** A page of a test: the frames that it received, as texts, and the events in them. */
export interface Page {
  readonly frames: string[];
  /** The events by the user they are about. */
  readonly events: string[];
  /** What the page sends to resume. */
  readonly after: string;
  leave(): void;
}

const textOf = (message: Exclude<Parameters<SendFrames>[0], { stream: string }>): string =>
  ('seq' in message ? [message] : message)
    .map(({ seq, event }) => `${seq} ${'u_id' in event ? event.u_id : ''}`)
    .join(', ');

/** Opens a page at a hub. */
export function openPage(hub: EventHub, uId: string, after: string | null = null): Page {
  const frames: string[] = [];
  const events: string[] = [];
  let [stream, seq] = ['', 0];
  const leave = hub.subscribe(uId, after, (message) => {
    if ('stream' in message) {
      ({ stream, seq } = message);
      frames.push(`${message.seq} ${message.resumed}`);
      return;
    }
    for (const frame of 'seq' in message ? [message] : message) {
      seq = frame.seq;
      events.push('u_id' in frame.event ? frame.event.u_id : frame.event.type);
    }
    frames.push(textOf(message));
  });
  return {
    frames,
    events,
    leave,
    get after() {
      return `${stream}.${seq}`;
    },
  };
}

/** The conditions of a run of the suite. */
interface Conditions {
  /** The reason why the hub cannot be tested here. Undefined when it can. */
  readonly missing?: string | undefined;
  /** Whether the shared state lives by a clock that the test cannot move. Default: false. */
  readonly hasOwnTime?: boolean;
}

export function describeEventHub(
  name: string,
  make: () => HubUnderTest | Promise<HubUnderTest>,
  { missing, hasOwnTime = false }: Conditions = {},
): void {
  describe(`the hub of events ${name}`, () => {
    beforeEach((context) => {
      if (missing !== undefined) context.skip(missing);
    });
    const made: HubUnderTest[] = [];
    const stage = async () => {
      const under = await make();
      made.push(under);
      const { hub, settled } = under;
      return {
        ...under,
        async listen(uId: string, after: string | null = null) {
          const page = openPage(hub, uId, after);
          await settled();
          return page;
        },
        async publish(uIds: string[], ...about: string[]) {
          for (const uId of about) hub.publish(uIds, changed(uId));
          await settled();
        },
      };
    };
    afterEach(async () => {
      for (const one of made.splice(0)) await one.close();
    });

    it('numbers the events of each user, and sends them to every socket of that user and to no other', async () => {
      const { publish, listen } = await stage();
      const [first, second, other] = [await listen('a'), await listen('a'), await listen('b')];
      await publish(['a', 'a', 'nobody'], 'x');
      await publish(['a', 'b'], 'y');
      expect(first.frames).toEqual(['0 false', '1 x', '2 y']);
      expect(second.frames).toEqual(first.frames);
      expect(other.frames).toEqual(['0 false', '1 y']);
      expect(first.after.split('.')[0]).not.toBe(other.after.split('.')[0]);
    });

    it('sends a user that reconnects soon exactly the missed events', async () => {
      const { hub, publish, listen, clock, settled } = await stage();
      const page = await listen('a');
      await publish(['a'], 'known');
      clock.advance(20_000);
      page.leave();
      await settled();
      expect([hub.isConnected('a'), hub.pagesOf('a'), hub.reaches('a')]).toEqual([false, 0, true]);
      await publish(['a'], 'missed');
      clock.advance(119_999);
      await publish(['a'], 'missed too');
      const [stream] = page.after.split('.');
      expect((await listen('a', page.after)).frames).toEqual(['1 true', '2 missed', '3 missed too']);
      expect((await listen('a', `${stream}.3`)).frames).toEqual(['3 true']);
      expect([hub.isConnected('a'), hub.pagesOf('a')]).toEqual([true, 2]);
    });

    it.each([
      ['nothing is known', () => null],
      ['another stream', () => 'other.1'],
      ['a number that was never sent', (stream: string) => `${stream}.999`],
      ['no number', (stream: string) => `${stream}.x`],
      ['a number below none', (stream: string) => `${stream}.-1`],
      ['more than is kept was missed', (stream: string) => `${stream}.0`],
    ])('answers that it cannot resume with %s', async (_, after) => {
      const { publish, listen } = await stage();
      const [stream = ''] = (await listen('a')).after.split('.');
      await publish(['a'], ...Array.from({ length: 201 }, () => 'x'));
      expect((await listen('a', after(stream))).frames).toEqual(['201 false']);
      expect((await listen('a', `${stream}.1`)).frames).toHaveLength(201);
    });

    it('drops the events of a user who does not reconnect', async (context) => {
      if (hasOwnTime) context.skip('two minutes would pass');
      const { publish, listen, clock } = await stage();
      const page = await listen('a');
      page.leave();
      clock.advance(120_001);
      await publish(['a'], 'x');
      expect((await listen('a', page.after)).frames).toEqual(['0 false']);
    });

    it('keeps the events of an absent user for the same time when the wall clock is changed', async () => {
      const { publish, listen, clock } = await stage();
      const page = await listen('a');
      page.leave();
      clock.set(3_600_000);
      await publish(['a'], 'x');
      expect((await listen('a', page.after)).frames).toEqual(['0 true', '1 x']);
    });

    it('keeps the stream of an open page for as long as it is open', async () => {
      const { publish, listen, clock, settled } = await stage();
      const page = await listen('a');
      await publish(['a'], 'x');
      for (let step = 0; step < 60; step += 1) {
        clock.advance(10_000);
        await settled();
      }
      page.leave();
      await publish(['a'], 'y');
      expect((await listen('a', page.after)).frames).toEqual(['1 true', '2 y']);
    });

    it('F10: sends each user several events in one message, numbered in order, at most a hundred', async () => {
      const { hub, listen, settled } = await stage();
      const [a, b] = [await listen('a'), await listen('b')];
      hub.publishAll([
        { uIds: ['a', 'b'], event: changed('x') },
        { uIds: ['a'], event: changed('y') },
      ]);
      await settled();
      expect([a.frames, b.frames]).toEqual([
        ['0 false', '1 x, 2 y'],
        ['0 false', '1 x'],
      ]);
      hub.publishAll(Array.from({ length: 150 }, () => ({ uIds: ['b'], event: changed('z') })));
      await settled();
      expect(b.frames.slice(2).map((message) => message.split(', ').length)).toEqual([100, 50]);
      expect((await listen('a', `${a.after.split('.')[0]}.0`)).frames).toEqual(['0 true', '1 x', '2 y']);
    });

    it('sends events of one node to its pages, in their order beside the others', async () => {
      const { hub, publish, listen } = await stage();
      const page = await listen('a');
      await publish(['a'], 'x');
      hub.publishHere([{ uIds: ['a', 'absent'], event: changed('here') }]);
      await publish(['a'], 'y');
      expect(page.events).toEqual(['x', 'here', 'y']);
      page.leave();
      await publish(['a'], 'z');
      expect((await listen('a', page.after)).events).toEqual(['z']);
    });

    it('F10: finds the followers of a user without a search of all users, and removes those that left or follow others', async () => {
      const { hub, listen, clock, settled } = await stage();
      const { leave } = await listen('a');
      await listen('b');
      hub.follow('a', ['a', 'x', 'y']);
      hub.follow('b', ['x']);
      hub.follow('absent', ['x']);
      await settled();
      expect([hub.followersOf('x'), hub.followersOf('y'), hub.followersOf('a')]).toEqual([['a', 'b'], ['a'], []]);
      hub.follow(
        'b',
        Array.from({ length: 500 }, (_, at) => `other ${at}`),
      );
      await settled();
      expect(hub.followersOf('x')).toEqual(['a']);
      leave();
      await settled();
      clock.advance(120_001);
      await listen('c');
      expect(hub.followersOf('x')).toEqual([]);
      expect(hub.followersOf('y')).toEqual([]);
    });

    it('goes on to follow the same users for a page that resumes', async () => {
      const { hub, listen, settled } = await stage();
      const page = await listen('a');
      hub.follow('a', ['x', 'y']);
      await settled();
      page.leave();
      await listen('a', page.after);
      expect([hub.followersOf('x'), hub.followersOf('y')]).toEqual([['a'], ['a']]);
    });
  });
}
