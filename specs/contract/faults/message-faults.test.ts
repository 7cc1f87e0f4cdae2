/** Faults of messages: the same fault has the same effect on every link of the fault engine. */
import { describe, expect, it } from 'vitest';
import type { MessageFault } from '../../../sim/faults/message-rule.ts';
import { ErrorCode } from '../../../src/protocol/errors.ts';
import { type FaultLink, type LinkFault, LINKS } from './fault-links.ts';

const frame = (type: string, nth = 1) =>
  JSON.stringify({ version: 1, request_id: `r${nth}`, cmd: 'CALL', type, payload: { nth } });

/** The numbers of the frames that arrived, each with its time. */
const seen = ({ arrivals }: FaultLink, direction: 'up' | 'down') =>
  arrivals[direction].map(({ text, at }) => {
    const { payload } = JSON.parse(text) as { payload?: { nth?: number } };
    return `${payload?.nth ?? '?'} at ${at}`;
  });

/** Sends three offers from each end, 10 ms apart, and waits for them. */
async function exchangeOffers(link: FaultLink): Promise<void> {
  for (const nth of [1, 2, 3]) {
    link.send('up', frame('offer', nth));
    link.send('down', frame('offer', nth));
    await link.advance(10);
  }
  await link.advance(5_000);
}

const ALL = ['1 at 0', '2 at 10', '3 at 20'];

describe.each(LINKS)('$name', ({ open, kinds, request, rejectsLost }) => {
  const CASES: readonly [title: string, fault: LinkFault, up: readonly string[], down: readonly string[]][] = [
    ['another message passes', { fault: { kind: 'drop', cmd: 'answer' } }, ALL, ALL],
    ['loses the messages of both directions', { fault: { kind: 'drop', cmd: 'offer' } }, [], []],
    ['loses only the first', { fault: { kind: 'drop', from: 'client', cmd: 'offer' }, first: 2 }, ['3 at 20'], ALL],
    [
      'loses only the n-th',
      { fault: { kind: 'drop', to: 'client', cmd: 'offer' }, nth: 2 },
      ALL,
      ['1 at 0', '3 at 20'],
    ],
    [
      'delays one message, which others overtake',
      { fault: { kind: 'delay', from: 'client', cmd: 'offer', by: '500ms' }, first: 1 },
      ['2 at 10', '3 at 20', '1 at 500'],
      ALL,
    ],
    [
      'keeps the order with jitter',
      { fault: { kind: 'delay', from: 'client', cmd: 'offer', by: '500ms', jitter: '1s' }, first: 1 },
      ['1 at 500', '2 at 500', '3 at 500'],
      ALL,
    ],
    [
      'repeats a message',
      { fault: { kind: 'duplicate', to: 'client', cmd: 'offer', copies: 3 }, nth: 2 },
      ALL,
      ['1 at 0', '2 at 10', '2 at 10', '2 at 10', '3 at 20'],
    ],
    [
      'puts a message behind the next',
      { fault: { kind: 'reorder', to: 'client', cmd: 'offer', behind: 1 }, first: 1 },
      ALL,
      ['2 at 10', '1 at 10', '3 at 20'],
    ],
    [
      'sends a message again',
      { fault: { kind: 'replay', from: 'client', cmd: 'offer', after: '300ms' }, first: 1 },
      ['1 at 0', '2 at 10', '3 at 20', '1 at 300'],
      ALL,
    ],
    [
      'changes the content of a message',
      { fault: { kind: 'corrupt', to: 'client', cmd: 'offer', how: 'shape' }, first: 1 },
      ALL,
      ['? at 0', '2 at 10', '3 at 20'],
    ],
  ];
  const possible = (kind: MessageFault['kind'], more: object = {}) =>
    kinds === undefined || (kinds.includes(kind) && !('jitter' in more));

  it.each(CASES.filter(([, { fault }]) => possible(fault.kind, fault)))('%s', async (_, fault, up, down) => {
    const link = await open([fault]);
    await exchangeOffers(link);
    expect({ up: seen(link, 'up'), down: seen(link, 'down') }).toEqual({ up, down });
  });

  it('refuses a command: it never arrives, and the sender receives the code with the id of its request', async () => {
    const code = ErrorCode.ERR_INVALID_CALL_STATUS;
    const link = await open([{ fault: { kind: 'refuse', from: 'client', cmd: 'offer', code }, first: 1 }]);
    link.send('up', frame('offer', 1));
    await link.advance(10);
    link.send('up', frame('offer', 2));
    await link.advance(10);
    expect(seen(link, 'up')).toEqual(['2 at 10']);
    expect(link.arrivals.down.map(({ text }) => JSON.parse(text) as unknown)).toEqual([
      expect.objectContaining({
        request_id: 'r1',
        cmd: 'CALL',
        type: 'offer_ack',
        error: expect.objectContaining({ code }),
      }),
    ]);
  });

  it('loses the refusal of a command, as it loses any answer', async () => {
    const code = ErrorCode.ERR_INVALID_CALL_STATUS;
    const link = await open([
      { fault: { kind: 'refuse', from: 'client', cmd: 'offer', code } },
      { fault: { kind: 'drop', to: 'client', cmd: 'offer_ack' }, first: 1 },
    ]);
    link.send('up', frame('offer', 1));
    link.send('up', frame('offer', 2));
    await link.advance(10);
    expect(link.arrivals.down.map(({ text }) => (JSON.parse(text) as { request_id: string }).request_id)).toEqual([
      'r2',
    ]);
  });

  it('applies the first fault that affects a message, and counts for each fault', async () => {
    const drop = (selection: object) =>
      ({ fault: { kind: 'drop', from: 'client', cmd: 'offer' }, ...selection }) as const;
    const link = await open([drop({ nth: 1 }), drop({ first: 1 })]);
    await exchangeOffers(link);
    // The second offer is the first one that reaches the second fault.
    expect(seen(link, 'up')).toEqual(['3 at 20']);
  });

  if (possible('reorder')) {
    it('delivers a message that waits when its fault ends', async () => {
      const link = await open([{ fault: { kind: 'reorder', to: 'client', cmd: 'offer', behind: 99 }, first: 1 }]);
      await exchangeOffers(link);
      expect(seen(link, 'down')).toEqual(['2 at 10', '3 at 20']);
      link.endFaults();
      await link.advance(10);
      expect(seen(link, 'down')).toHaveLength(3);
    });
  }

  it('loses a request: the exchange never gets it', async () => {
    const link = await open([{ fault: { kind: 'drop', from: 'client', cmd: request.up } }]);
    const outcome: string[] = [];
    link.request().then(
      () => outcome.push('answered'),
      () => outcome.push('rejected'),
    );
    await link.advance(100);
    expect([outcome, link.requests]).toEqual([rejectsLost ? ['rejected'] : [], 0]);
  });

  it('delays the answer of a request, which has its effect at once', async () => {
    const link = await open([{ fault: { kind: 'delay', to: 'client', cmd: request.down, by: '500ms' } }]);
    const statuses: number[] = [];
    void link.request().then(({ status }) => statuses.push(status));
    await link.advance(400);
    expect([statuses, link.requests]).toEqual([[], 1]);
    await link.advance(200);
    expect(statuses).toEqual([200]);
  });
});
