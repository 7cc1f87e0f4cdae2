import { describe, expect, test } from 'vitest';
import type { MemberReport, RoomReport } from '../../../cli/headless/room/room-messages.ts';
import { chooseRoomReporter } from '../../../cli/reporters/room.ts';
import type { RoomEvent } from '../../../cli/reporters/room-format.ts';
import { callReport, secondOf } from './support/call-report.ts';

const { received, quality, seconds } = callReport();
const memberOf = (user: string, at: number): MemberReport => ({
  participantId: `p${at}`,
  user,
  received,
  quality,
  seconds,
  firstFrame: 210,
});

const report: RoomReport = {
  result: 'left',
  roomId: 'tea',
  roomType: 'small_room_for_video',
  user: 'alice',
  duration: 12_000,
  participants: [memberOf('bob', 1), memberOf('bob', 2), { ...memberOf('carol', 3), received: {} }],
  reconnections: 1,
  errors: [],
};

const stay: RoomEvent[] = [
  {
    type: 'entered',
    roomId: 'tea',
    roomType: 'small_room_for_video',
    user: 'alice',
    participants: [{ participantId: 'p1', user: 'bob' }],
    afterMs: 340,
  },
  { type: 'arrived', participantId: 'p3', user: 'carol' },
  {
    type: 'measured',
    endMs: 1_000,
    participants: [
      { participantId: 'p1', user: 'bob', second: secondOf() },
      { participantId: 'p3', user: 'carol', second: null },
    ],
  },
  { type: 'disconnected' },
  { type: 'reconnected' },
  { type: 'departed', participantId: 'p3', user: 'carol' },
  { type: 'left', report },
];

const SUMMARY = [
  'bob 1         tone 660 Hz ok  24.0 fps 320x240  240 frames  marker ok  freezes 0  loss 0.4%  jitter 2ms  rtt 1ms  mos 4.4 excellent',
  'bob 2         tone 660 Hz ok  24.0 fps 320x240  240 frames  marker ok  freezes 0  loss 0.4%  jitter 2ms  rtt 1ms  mos 4.4 excellent',
  'carol         no media arrived',
];

function shown(events: readonly RoomEvent[], options: { json?: boolean; isTTY?: boolean; columns?: number } = {}) {
  let out = '';
  let err = '';
  const { isTTY, columns = 100 } = options;
  const output = {
    out: { write: (text: string) => (out += text), ...(isTTY ? { isTTY, columns } : {}) },
    err: { write: (text: string) => (err += text) },
  };
  const reporter = chooseRoomReporter(output, options.json ?? false, { NO_COLOR: '1' });
  for (const event of events) reporter.event(event);
  return { reporter, read: () => ({ out, err }) };
}

describe('reporters of rooms', () => {
  test('print a line for each event and each participant, without a terminal', () => {
    const { out, err } = shown(stay).read();
    expect(out.split('\n')).toEqual([
      'room tea  small_room_for_video  entered 0.3s  1 other participant',
      'carol entered',
      'bob           tone 660 Hz ok  24.0 fps 320x240  marker ok  freezes 0  loss 0.0%',
      'carol         connecting...',
      'reconnecting...',
      'reconnected',
      'carol left',
      ...SUMMARY,
      'left after 12.0s',
      '',
    ]);
    expect(err).toBe('');
  });

  test('print one JSON object on stdout, and the progress on stderr', () => {
    const { out, err } = shown(stay, { json: true }).read();
    expect(JSON.parse(out)).toEqual(report);
    expect(err).toContain('carol entered\n');
    expect(err).not.toContain('marker');
  });

  test('redraw the meters in place on a terminal, and cut long lines', () => {
    const columns = 60;
    const { out } = shown(stay.slice(0, 3), { isTTY: true, columns }).read();
    const last = out.split('\u001B[J').at(-1) ?? '';
    const lines = last.split('\n').slice(0, -1);
    expect(lines).toHaveLength(4);
    expect(lines[1]).toMatch(/^ {2}bob +tone 660 Hz ok/);
    expect(lines.every((line) => line.length < columns)).toBe(true);
    // Moves up over the three lines that were drawn before.
    expect(out).toContain('\u001B[2A\r\u001B[J');
  });

  test('show the mix of a large room, and a failure in one line', () => {
    const measured: RoomEvent = {
      type: 'measured',
      endMs: 1_000,
      participants: [{ participantId: 'p1', user: 'bob', second: null }],
      mix: secondOf(),
    };
    expect(shown([measured]).read().out).toMatch(/^bob +in the mix\nmix +tone 660 Hz ok/);
    const { reporter, read } = shown([]);
    reporter.failed({ message: 'The room tea is full.', code: 1_400_120 });
    expect(read().err).toBe('The room tea is full.\n');
    const asJson = shown([], { json: true });
    asJson.reporter.failed({ message: 'The room tea is full.', code: 1_400_120 });
    expect(JSON.parse(asJson.read().out)).toEqual({
      result: null,
      errors: [{ code: 1_400_120, message: 'The room tea is full.' }],
    });
  });

  test.each([{}, { isTTY: true }])('%j: a failure has no escape of a terminal', (options) => {
    const { reporter, read } = shown([], options);
    reporter.failed({ message: 'The room \u001B[2J is full.' });
    expect(read().err).toBe('The room \\u{1b}[2J is full.\n');
  });

  test('name how a stay ended', () => {
    const ends = (['left', 'deleted', 'kicked', 'lost'] as const).map((result) => {
      const { out } = shown([{ type: 'left', report: { ...report, participants: [], result } }]).read();
      return out.trim();
    });
    expect(ends).toEqual([
      'left after 12.0s',
      'the room was deleted after 12.0s',
      'removed by another client of the same user after 12.0s',
      'lost the connection to the room after 12.0s',
    ]);
  });
});
