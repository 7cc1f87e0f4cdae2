import { describe, expect, it } from 'vitest';
import { answerOnce, RequestConflict } from '../../../sim/exchange/commands/answer-once.ts';
import { ExchangeEvents } from '../../../sim/exchange/events.ts';
import { IdempotencyCache } from '../../../sim/exchange/delivery/idempotency-cache.ts';
import { TokenBuckets } from '../../../sim/exchange/limits/token-buckets.ts';
import { Log } from '../../../sim/exchange/logging/log.ts';
import { DEFAULT_SETTINGS } from '../../../sim/exchange/settings.ts';
import type { AnyCommandFrame, CommandFrame, RoomCommandFrame } from '../../../src/protocol/envelope.ts';
import { CallError, ErrorCode } from '../../../src/protocol/errors.ts';
import { HandClock } from '../support/hand-clock.ts';

const PHONE = { userId: 'alice', clientId: 'phone' };
const FRAME: CommandFrame = { version: 1, request_id: 'r1', cmd: 'CALL', type: 'end', payload: { call_id: 'call-1' } };

function parts() {
  const clock = new HandClock();
  const log = new Log(() => undefined, clock);
  const events = new ExchangeEvents(log);
  const refused: number[] = [];
  events.subscribe((event) => void (event.kind === 'refused' && refused.push(event.code)));
  const core = {
    answers: new IdempotencyCache<object>(DEFAULT_SETTINGS, new HandClock()),
    roomAnswers: new IdempotencyCache<object>(DEFAULT_SETTINGS, new HandClock()),
    sent: new TokenBuckets(DEFAULT_SETTINGS.sent, () => clock.now()),
    events,
    log,
  };
  return { core, refused };
}

describe('the answer of a slow handler', () => {
  it('is sent when the handler ends, and a repeated frame does not run the handler again', async () => {
    const { core } = parts();
    let runs = 0;
    const run = () => {
      runs += 1;
      return Promise.resolve({ call_id: 'call-1' });
    };
    const [first, second] = [answerOnce(core, PHONE, FRAME, run), answerOnce(core, PHONE, FRAME, run)];
    expect(await first).toMatchObject({ request_id: 'r1', type: 'end_ack', payload: { call_id: 'call-1' } });
    expect([await second, answerOnce(core, PHONE, FRAME, run), runs]).toEqual([await first, await first, 1]);
  });

  it('is a refusal when the handler rejects, and the command runs again when it is repeated', async () => {
    const { core, refused } = parts();
    const run = () => Promise.reject(new CallError(ErrorCode.ERR_CALL_DOES_NOT_EXIST));
    const code = ErrorCode.ERR_CALL_DOES_NOT_EXIST;
    expect(await answerOnce(core, PHONE, FRAME, run)).toMatchObject({ error: { code } });
    expect(await answerOnce(core, PHONE, FRAME, run)).toMatchObject({ error: { code } });
    expect(refused).toEqual([code, code]);
  });
});

describe('a request id', () => {
  const ROOM: RoomCommandFrame = {
    ...{ version: 1, request_id: 'r1', cmd: 'COMM', type: 'room_exit' },
    payload: { room_id: 'room-1', participant_id: 'p-1' },
  };

  it('B66: of a call is no one of a room, and the other way round, also while the first is answered', async () => {
    for (const [first, second] of [
      [FRAME, ROOM],
      [ROOM, FRAME],
    ] as const) {
      const { core } = parts();
      let answer: (reply: object) => void = () => undefined;
      const made = answerOnce(core, PHONE, first, () => new Promise<object>((resolve) => void (answer = resolve)));
      const conflicting = () => answerOnce(core, PHONE, second, () => ({}));
      expect(conflicting).toThrow(RequestConflict);
      answer({});
      await made;
      expect(conflicting).toThrow(RequestConflict);
      expect(answerOnce(core, { ...PHONE, clientId: 'tablet' }, second, () => ({}))).toMatchObject({ payload: {} });
    }
  });

  it('of a room is kept apart from those of calls: large answers of rooms drop none of a call', () => {
    const { core } = parts();
    const once = (frame: AnyCommandFrame, reply: object) => answerOnce(core, PHONE, frame, () => reply);
    void once(FRAME, { call_id: 'first' });
    const large = 'x'.repeat(DEFAULT_SETTINGS.answerCharsPerDevice / 4);
    for (let at = 0; at < 10; at += 1) void once({ ...ROOM, request_id: `room-${at}` }, { large });
    expect(once(FRAME, { call_id: 'second' })).toMatchObject({ payload: { call_id: 'first' } });
    expect(once({ ...ROOM, request_id: 'room-0' }, { large: '' })).toMatchObject({ payload: { large: '' } });
    expect(once({ ...ROOM, request_id: 'room-9' }, { large: '' })).toMatchObject({ payload: { large } });
  });
});
