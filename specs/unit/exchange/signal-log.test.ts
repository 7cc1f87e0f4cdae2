import { describe, expect, it } from 'vitest';
import type { EventFrame } from '../../../src/protocol/envelope.ts';
import { fairShare } from '../../../sim/exchange/http/missed-signals.ts';
import { SignalLog } from '../../../sim/exchange/delivery/signal-log.ts';

/** A frame of `chars` characters as JSON. */
function frameOf(sequence_number: number, chars: number): EventFrame {
  const frame = (recording_id: string): EventFrame => ({
    version: 1,
    message_id: 'm',
    cmd: 'COMM',
    type: 'recording',
    delivery_info: { channel: 'websocket' },
    sequence_number,
    payload: { call_id: 'c', recording_id, recording_type: 'remote_audio_only', recording_status: 'none' },
  });
  return frame('x'.repeat(chars - JSON.stringify(frame('')).length));
}

const BOUNDS = { signalsPerLeg: 5, signalCharsPerLeg: 1_000 };

function logOf(...sizes: number[]): SignalLog {
  const log = new SignalLog(BOUNDS);
  for (const size of sizes) log.append((sequence) => frameOf(sequence, size));
  return log;
}
const numbers = (frames: readonly EventFrame[]) => frames.map(({ sequence_number }) => sequence_number);

describe('I22 the signals stored for a leg', () => {
  it('are limited in number and in characters, and the newest stay', () => {
    expect(numbers(logOf(250, 250, 250, 250).frames)).toEqual([1, 2, 3, 4]);
    expect(numbers(logOf(250, 250, 250, 250, 251).frames)).toEqual([3, 4, 5]);
    expect(numbers(logOf(250, 2_000).frames)).toEqual([2]);
    const many = new SignalLog({ signalsPerLeg: 2, signalCharsPerLeg: 1_000_000 });
    for (let at = 0; at < 3; at += 1) many.append((sequence) => frameOf(sequence, 250));
    expect([numbers(many.frames), many.last, many.chars]).toEqual([[2, 3], 3, 500]);
  });

  it('are returned with the text that was sent', () => {
    const { frame, text } = new SignalLog(BOUNDS).append((sequence) => frameOf(sequence, 300));
    expect([JSON.parse(text), text.length]).toEqual([frame, 300]);
  });

  it('are returned for the store: those after a number, with their types and texts', () => {
    const log = new SignalLog(BOUNDS);
    const texts = [300, 310, 320].map((chars) => log.append((sequence) => frameOf(sequence, chars)).text);
    const second = { sequence: 2, type: 'recording', text: texts[1] };
    const third = { sequence: 3, type: 'recording', text: texts[2] };
    expect([log.after(1), log.after(2), log.after(3)]).toEqual([[second, third], [third], []]);
    expect([new SignalLog(BOUNDS).newestFrame, log.newestFrame]).toEqual([undefined, frameOf(3, 320)]);
  });

  it('are trimmed when the call has ended: the last one stays, of any size', () => {
    const log = logOf(300, 300, 300);
    log.trim(600);
    expect([numbers(log.frames), log.chars]).toEqual([[2, 3], 600]);
    log.trim(10);
    expect(numbers(log.frames)).toEqual([3]);
  });

  it('lose those that set up the call, except the very newest, and keep their numbers', () => {
    const candidate = (sequence_number: number): EventFrame => ({
      version: 1,
      message_id: 'm',
      cmd: 'SGNL',
      type: 'candidate',
      delivery_info: { channel: 'websocket' },
      sequence_number,
      payload: { call_id: 'c', candidate: { sdp: 'candidate:1', sdp_mid: '0', sdp_mline_index: 0 } },
    });
    const log = logOf(300);
    for (let at = 0; at < 2; at += 1) log.append(candidate);
    log.forgetSetUp();
    const { length } = JSON.stringify(candidate(3));
    expect([numbers(log.frames), log.chars, log.first, log.last]).toEqual([[1, 3], 300 + length, 1, 3]);
    log.append((sequence) => frameOf(sequence, 300));
    log.forgetSetUp();
    expect([numbers(log.frames), log.chars, log.first, log.last]).toEqual([[1, 4], 600, 1, 4]);
    for (let at = 0; at < 2; at += 1) log.append((sequence) => frameOf(sequence, 300));
    expect([numbers(log.frames), log.first]).toEqual([[4, 5, 6], 2]);
  });

  it('are returned up to the limit, the newest ones', () => {
    const log = logOf(300, 300, 300);
    expect([0, 299, 300, 600, 899, 900].map((chars) => numbers(log.newest(chars)))).toEqual([
      [],
      [],
      [3],
      [2, 3],
      [2, 3],
      [1, 2, 3],
    ]);
  });

  it('are limited also when they are restored', () => {
    const log = new SignalLog(BOUNDS);
    log.restore(
      [1, 2, 3, 4, 5, 6].map((number) => frameOf(number, 250)),
      6,
    );
    expect([numbers(log.frames), log.first, log.chars]).toEqual([[3, 4, 5, 6], 3, 1_000]);
  });

  it('of the previous exchange are restored, and are counted', () => {
    const log = logOf(300);
    log.restore([frameOf(8, 250), frameOf(9, 250)], 9);
    expect([numbers(log.frames), log.chars]).toEqual([[8, 9], 500]);
    log.append((sequence) => frameOf(sequence, 600));
    expect(numbers(log.frames)).toEqual([9, 10]);
  });
});

describe('a fair share', () => {
  it.each<[sizes: number[], total: number, share: number]>([
    [[], 100, 100],
    [[40, 60], 100, 100],
    [[10, 200, 300], 100, 45],
    [[80, 80], 100, 50],
    [[10, 20, 30, 500], 100, 40],
    [[500, 9, 30], 100, 61],
  ])('of %j in %i is %i, and all shares together are at most the whole', (sizes, total, share) => {
    expect(fairShare(sizes, total)).toBe(share);
    expect(sizes.reduce((sum, size) => sum + Math.min(size, share), 0)).toBeLessThanOrEqual(total);
  });
});
