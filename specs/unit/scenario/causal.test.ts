import { describe, expect, it } from 'vitest';
import { causalDifferences, causalTrace, differenceText } from '../../../src/trace/causal.ts';
import type { TraceEvent, Untimed } from '../../../src/trace/events.ts';
import { ErrorCode } from '../../../src/protocol/errors.ts';

/** A trace whose events are this far apart. */
const traceOf = (events: readonly Untimed[], apart = 1): TraceEvent[] =>
  events.map((event, n) => ({ at: n * apart, ...event }));

const message = (direction: 'up' | 'down', cmd: string, more: object = {}): Untimed => ({
  kind: 'message',
  device: 'alice',
  direction,
  cmd,
  payload: { call_id: String(Math.random()) },
  ...more,
});
const moved = (from: string, to: string): Untimed => ({ kind: 'state', device: 'alice', machine: 'call', from, to });

const differ = (one: readonly Untimed[], other: readonly Untimed[]) =>
  causalDifferences(causalTrace(traceOf(one)), causalTrace(traceOf(other, 700)));

describe('two traces of one scenario have the same causes', () => {
  it('for any times, ids, candidates, keep-alives and logs', () => {
    const summary = (id: string): Untimed => ({
      kind: 'http',
      device: 'alice',
      direction: 'up',
      request: `POST /v1/direct_calls/${id}/summary`,
      body: { end_result: 'completed' },
    });
    const log: Untimed = { ...summary('x'), request: 'POST /v1/logs/stats' } as Untimed;
    expect(
      differ(
        [message('up', 'dial'), message('up', 'candidate'), moved('idle', 'dialing'), summary('id-0000000001')],
        [message('up', 'dial'), moved('idle', 'dialing'), message('up', 'alive'), log, summary('9b1c2a3d4e5f')],
      ),
    ).toEqual([]);
  });

  it('for any number of resends of a message about a call before its answer', () => {
    const [sent, other] = [
      message('up', 'connected', { payload: { call_id: 'a' } }),
      message('up', 'end', { payload: { call_id: 'a' } }),
    ];
    expect(differ([sent, other], [sent, moved('connected', 'closing'), sent, other])).toEqual([
      expect.objectContaining({ one: ['sends connected', 'sends end'] }),
    ]);
    expect(differ([sent, other], [sent, sent, other])).toEqual([]);
  });

  it('for a media state that the dial, the accept or an earlier state has named', () => {
    const named = { constraints: { audio: true, video: false } };
    const state = (direction: 'up' | 'down', cmd: string, is_enabled: boolean, call_id = 'a') =>
      message(direction, cmd, { payload: { call_id, is_enabled } });
    const caller = [
      message('up', 'dial', { payload: named }),
      message('down', 'dial_ack', { payload: { call_id: 'a' } }),
      message('down', 'accept', { payload: { call_id: 'a', audio: false, video: true } }),
    ];
    const callee = [
      message('down', 'dial', { payload: { call_id: 'a', ...named } }),
      message('up', 'accept', { payload: { call_id: 'a', constraints: { audio: false, video: true } } }),
    ];
    for (const [begun, own, other] of [
      [caller, true, false],
      [callee, false, true],
    ] as const) {
      const known = [
        state('up', 'audio', own),
        message('down', 'audio_ack'),
        state('up', 'video', !own),
        message('down', 'video_ack'),
        state('down', 'audio', other),
        state('down', 'video', !other),
      ];
      expect(differ([...begun, ...known], begun)).toEqual([]);
      const news = [
        state('up', 'audio', !own),
        state('up', 'video', own),
        state('down', 'audio', !other),
        state('down', 'video', other),
        state('up', 'audio', own, 'another call'),
      ];
      for (const one of news) expect(differ([...begun, one], begun)).toHaveLength(1);
      const [muted, unmuted] = [state('up', 'audio', !own), state('up', 'audio', own)];
      expect(differ([...begun, muted, unmuted], [...begun, muted])).toHaveLength(1);
      const lost = { ...state('up', 'audio', own), fate: 'dropped' } as Untimed;
      expect(differ([...begun, lost], begun)).toHaveLength(1);
    }
    const refused = (error: number) => differ([message('down', 'audio_ack', { error })], []).length;
    expect(refused(ErrorCode.ERR_INVALID_CALL_STATUS)).toBe(0);
    expect(refused(ErrorCode.ERR_NO_PERMISSION)).toBe(1);
  });

  it("for any order of a device's actions, answers and events", () => {
    const [up, ack, event] = [message('up', 'audio'), message('down', 'audio_ack'), message('down', 'offer')];
    expect(differ([up, ack, event], [event, up, ack])).toEqual([]);
  });
});

describe('two traces have different causes', () => {
  it('when a device sends something new: with another payload, after another message of its name, or of no call', () => {
    const audio = (enabled: boolean) => message('up', 'audio', { payload: { call_id: 'a', enabled } });
    expect(differ([audio(false), audio(true)], [audio(false), audio(true), audio(false)])).toHaveLength(1);
    const dial = message('up', 'dial', { payload: { callee_id: 'bob' } });
    expect(differ([dial], [dial, dial])).toHaveLength(1);
  });

  it('when a message comes in another order, is missing, is refused, or is lost', () => {
    expect(
      differ(
        [message('down', 'audio'), message('down', 'offer')],
        [message('down', 'offer'), message('down', 'audio')],
      ),
    ).toMatchObject([{ device: 'alice', lane: 'heard', at: 0 }]);
    expect(differ([message('up', 'dial'), moved('idle', 'dialing')], [message('up', 'dial')])).toMatchObject([
      { lane: 'did', at: 1 },
    ]);
    expect(
      differ([message('down', 'end_ack')], [message('down', 'end_ack', { error: ErrorCode.ERR_INVALID_CALL_STATUS })]),
    ).toMatchObject([{ lane: 'was answered', at: 0 }]);
    expect(differ([message('up', 'offer')], [message('up', 'offer', { fate: 'dropped' })])).toHaveLength(1);
  });

  it('when a call ended with another result', () => {
    const summary = (end_result: string): Untimed => ({
      kind: 'http',
      device: 'alice',
      direction: 'up',
      request: 'POST /v1/direct_calls/1234567890/summary',
      body: { end_result },
    });
    expect(differ([summary('completed')], [summary('connection_lost')])).toHaveLength(1);
  });

  it('and the difference has the neighbouring events of both sides', () => {
    const [difference] = differ(
      ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((cmd) => message('up', cmd)),
      ['a', 'b', 'c', 'd'].map((cmd) => message('up', cmd)),
    );
    expect(difference && differenceText(difference, ['virtual', 'real'])).toBe(
      `alice did something else from event 5 on
  virtual: sends b; sends c; sends d; [sends e]; sends f; sends g
  real: sends b; sends c; sends d; [nothing more]`,
    );
  });
});
