/** `ringback dial` against `ringback answer`, through a real exchange, in processes of their own. */
import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { demoPeople } from '../../sim/server/demo-people.ts';
import { startSim } from '../../sim/server/start-sim.ts';
import { createExchange, type TestExchange } from './exchange.ts';
import { ringback, type Terminal } from './terminal.ts';
import { scaled } from '../../tools/run/machine-factor.ts';

let exchange: TestExchange;
beforeAll(async () => {
  exchange = await createExchange();
});
afterAll(() => exchange.close());

const running: Terminal[] = [];
afterEach(() => {
  for (const one of running.splice(0)) one.kill();
});

function run(...words: string[]): Terminal {
  const terminal = ringback(words, { RINGBACK_SERVER: exchange.url });
  running.push(terminal);
  return terminal;
}

/** Starts an answerer and waits until it can be called. */
async function answering(...words: string[]): Promise<Terminal> {
  const terminal = run('answer', ...words);
  await terminal.saw(/waiting as \S+\.\.\./);
  return terminal;
}

const withTone = (tone: number) => ({ tone, ok: true });
const seen = { width: 320, height: 240, ok: true };

describe('a call between two terminals', () => {
  test('DC-07 DC-29 DC-36: connects, tone and marker arrive on both sides, and both print completed', async () => {
    const answer = await answering('--json');
    const dial = run('dial', 'bob', '--for', '4s', '--json');
    expect(await dial.exited()).toBe(0);
    expect(await answer.exited()).toBe(0);

    const caller = dial.json();
    const callee = answer.json();
    expect(caller).toMatchObject({
      result: 'completed',
      role: 'caller',
      user: 'alice',
      peer: 'bob',
      video: true,
      endedBy: 'alice',
      sent: { audio: { tone: 440 }, video: { width: 320, height: 240, fps: 24 } },
      received: { audio: withTone(660), video: seen },
      connection: { audioCodec: 'opus', videoCodec: 'VP8', candidatePair: { protocol: 'udp' } },
      reconnections: 0,
      errors: [],
    });
    expect(callee).toMatchObject({
      result: 'completed',
      role: 'callee',
      user: 'bob',
      peer: 'alice',
      endedBy: 'alice',
      received: { audio: withTone(440), video: seen },
      errors: [],
    });
    for (const side of [caller, callee]) {
      expect(side.callId).toBe(caller.callId);
      expect(side.duration).toBeGreaterThan(3_500);
      // A busy machine hangs up late, and drops some packets.
      expect(side.duration).toBeLessThan(scaled(15_000));
      expect(side.received.audio?.share).toBeGreaterThan(0.8);
      expect(side.received.audio?.windows).toBeGreaterThanOrEqual(10);
      expect(side.received.video?.frames).toBeGreaterThan(30);
      expect(side.sent.audio.packets).toBeGreaterThan(100);
      expect(side.sent.video?.packets).toBeGreaterThan(30);
      expect(side.quality.loss).toBeLessThan(0.1);
      expect(side.quality.mos).toBeGreaterThan(4);
    }
    expect(caller.timings.connected).toBeLessThanOrEqual(caller.timings.firstFrame ?? 0);
    expect(caller.timings.ringing ?? 0).toBeGreaterThanOrEqual(0);
  });

  test('a voice call sends no picture; --tone selects the tone that the other side hears', async () => {
    const answer = await answering('--audio', '--tone', '900', '--json');
    const dial = run('dial', 'bob', '--audio', '--tone', '700', '--for', '2s', '--json');
    expect(await dial.exited()).toBe(0);
    expect(await answer.exited()).toBe(0);
    const [caller, callee] = [dial.json(), answer.json()];
    expect(caller).toMatchObject({ video: false, received: { audio: withTone(900) } });
    expect(callee).toMatchObject({ video: false, received: { audio: withTone(700) } });
    expect(caller.received.video).toBeUndefined();
    expect(caller.sent.video).toBeUndefined();
    expect(caller.connection.videoCodec).toBeNull();
  });

  test('prints a line for each event; the callee may hang up', async () => {
    const answer = await answering('--for', '2s');
    const dial = run('dial', 'bob', '--for', '30s', '--require', 'audio,video', '--max-setup', '1m');
    expect(await dial.exited()).toBe(0);
    expect(await answer.exited()).toBe(0);
    // The ringing arrives on another channel than the accept, and may arrive after it.
    expect(dial.out).toMatch(
      /^dialing bob\.\.\.\n(ringing \d\.\ds\n)?accepted \d\.\ds\nconnected \d\.\ds {2}\S+\/udp {2}VP8 {2}opus\n/,
    );
    expect(dial.out).toMatch(
      /in {2}audio tone 660 Hz ok {2}loss \d+\.\d% {2}jitter \d+ms {2}rtt \d+ms {2}mos \d\.\d \w+\n/,
    );
    expect(dial.out).toMatch(/s {2}in {2}video \d+\.\d fps 320x240 {2}marker ok {2}freezes \d+ {2}loss \d+\.\d%\n/);
    expect(dial.out).toMatch(
      /\nin {2}audio tone 660 Hz ok {2}.*loss \d+\.\d% .*mos \d\.\d \w+\nin {2}video \d+\.\d fps 320x240 {2}\d+ frames {2}marker ok/,
    );
    expect(dial.out).toMatch(/\nended by bob: completed, \d\.\ds\n$/);
    expect(answer.out).toMatch(/^waiting as bob\.\.\.\nalice calls, video\n/);
    expect(dial.err + answer.err).toBe('');
    expect(dial.out).not.toContain('\u001B');
  });
});

describe('the exit code of a call', () => {
  test('DC-15: a declined call exits with 22, or with 0 when it was expected', async () => {
    const answer = await answering('--decline', '--expect', 'declined');
    const dial = run('dial', 'bob');
    expect(await dial.exited()).toBe(22);
    expect(await answer.exited()).toBe(0);
    expect(dial.out).toContain('ended by bob: declined');
  });

  test('DC-09: a call that is not answered within --ring exits with 20 for the caller', async () => {
    const answer = await answering('--ignore', '--expect', 'no_answer');
    const dial = run('dial', 'bob', '--ring', '2s');
    expect(await dial.exited()).toBe(20);
    expect(await answer.exited()).toBe(0);
    expect(dial.out).toContain('no_answer');
  });

  test('is that of the end result before that of the requirements, and 2 for a requirement that cannot be met', async () => {
    const answer = await answering('--decline', '--expect', 'declined');
    const dial = run('dial', 'bob', '--require', 'audio', '--json');
    expect(await dial.exited()).toBe(22);
    expect(await answer.exited()).toBe(0);
    expect(dial.json()).toMatchObject({ result: 'declined', requirements: [{ name: 'require audio', ok: false }] });
    expect(dial.err).toContain('--require audio: the call never connected, so no audio arrived;');
    const contradictory = run('dial', 'bob', '--expect', 'declined', '--min-mos', '3');
    expect(await contradictory.exited()).toBe(2);
    expect(contradictory.err).toBe('--min-mos cannot be met with --expect declined: such a call never connects.\n');
  });

  test('a live call is in the list of calls, and then in the history of its callee', async () => {
    await answering();
    const dial = run('dial', 'bob', '--audio');
    await dial.saw(/connected/);
    const calls = run('calls', '--json');
    expect(await calls.exited()).toBe(0);
    const live = { caller: 'alice', callee: 'bob', is_video_call: false, state: 'connected' };
    expect(JSON.parse(calls.out)).toMatchObject({ calls: [live], has_more: false });
    dial.process.kill('SIGINT');
    await dial.exited();
    const history = run('history', '--as', 'bob', '--limit', '1');
    expect(await history.exited()).toBe(0);
    expect(history.out).toMatch(/\n\S+Z +alice +bob +audio +completed +\d+\.\d /);
  });

  test('a dial to an offline callee who has signed in before prints that it waits for a device', async () => {
    const gone = await answering('--as', 'carol');
    gone.process.kill('SIGINT');
    expect(await gone.exited()).toBe(130);
    const dial = run('dial', 'carol', '--ring', '4s');
    expect(await dial.exited()).toBe(20);
    expect(dial.out).toContain(
      'dialing carol...\ncarol has no device online, and none for push messages; waiting for one to come online...\nended: no_answer\n',
    );
  });

  test('DC-02: a dial to an unknown user, or to one who never signed in, gives 26 and a remedy', async () => {
    const [unknown, absent] = [run('dial', 'nobody'), run('dial', exchange.neverSignedIn)];
    expect(await unknown.exited()).toBe(26);
    expect(unknown.err).toBe('The exchange knows no user nobody: "ringback users" lists its users.\n');
    expect(await absent.exited()).toBe(26);
    expect(absent.err).toContain(`start "ringback answer --as ${exchange.neverSignedIn}" first`);
  });

  test('DC-55: a dial to the same user, or as a user that the exchange does not know, gives 2 and a remedy', async () => {
    const [self, stranger] = [run('dial', 'alice'), run('dial', 'bob', '--as', 'stranger')];
    expect(await self.exited()).toBe(2);
    expect(self.err).toBe('alice cannot dial alice: choose another user with --as.\n');
    expect(await stranger.exited()).toBe(2);
    expect(stranger.err).toMatch(/^The exchange does not admit stranger: .*--as.*\n$/);
    expect(stranger.err.trim().split('\n')).toHaveLength(1);
  });

  test('without an exchange a dial gives 4, one line, and a JSON object', async () => {
    const dial = run('dial', 'bob', '--server', 'http://127.0.0.1:9', '--json');
    expect(await dial.exited()).toBe(4);
    expect(dial.err).toMatch(/^No exchange answers at http:\/\/127\.0\.0\.1:9: .*ringback sim.*\n$/);
    expect(JSON.parse(dial.out)).toMatchObject({ result: null, errors: [{ code: 1_800_200 }] });
  });

  test.each([
    [['dial'], /missing required argument/],
    [['dial', 'bob', '--for', '10'], /10s, 500ms or 2m/],
    [['dial', 'bob', '--require', 'sound'], /option '--require <kinds>' argument 'sound' is invalid.*audio and video/],
    [['dial', 'bob', '--require', 'audio,audio'], /option '--require <kinds>'.*audio is given twice/],
    [['dial', 'bob', '--require', 'video', '--audio'], /--require video cannot be met with --audio/],
    [['dial', 'bob', '--min-mos', '5'], /option '--min-mos <score>'.*from 1 to 4\.5/],
    [['answer', '--max-setup', '0s'], /option '--max-setup <duration>'.*longer than zero/],
    [['answer', '--decline', '--require', 'audio'], /--require cannot be met with --decline/],
    [['dial', 'bob', '--expect', 'fine'], /The results are completed|The results are no_answer/],
    [['dail', 'bob'], /Did you mean dial\?/],
    [['answer', '--decline', '--ignore'], /cannot be used with/],
    [['sim', '--demo', '--port', '70000'], /0 to 65535/],
  ])('ringback %j is wrong usage and gives 2 and one line', async (words, says) => {
    const terminal = run(...words);
    expect(await terminal.exited()).toBe(2);
    expect(terminal.out).toBe('');
    expect(terminal.err).toMatch(says);
    expect(terminal.err.trim().split('\n')).toHaveLength(1);
  });
});

describe('Ctrl-C', () => {
  test('hangs up, the other side receives the end, and the code is 130', async () => {
    const answer = await answering();
    const dial = run('dial', 'bob', '--for', '60s');
    await dial.saw(/in {2}audio tone 660/);
    dial.process.kill('SIGINT');
    expect(await dial.exited()).toBe(130);
    expect(await answer.exited()).toBe(0);
    expect(dial.out).toMatch(/ended by alice: completed/);
    expect(answer.out).toMatch(/ended by alice: completed/);
  });

  test('DC-08: while it rings cancels the call', async () => {
    const answer = await answering('--ignore', '--expect', 'canceled');
    const dial = run('dial', 'bob');
    await dial.saw(/ringing/);
    dial.process.kill('SIGINT');
    expect(await dial.exited()).toBe(130);
    expect(await answer.exited()).toBe(0);
    expect(dial.out).toContain('ended by alice: canceled');
  });

  test('ends a wait for calls', async () => {
    const answer = await answering();
    answer.process.kill('SIGINT');
    expect(await answer.exited()).toBe(130);
    expect(answer.err).toBe('');
  });

  test('is no crash while the media engine loads, although the terminal also sends it to the peer host', async () => {
    const dial = run('dial', 'bob', '--json');
    const host = await peerHostOf(dial);
    dial.process.kill('SIGINT');
    process.kill(host, 'SIGINT');
    expect(await dial.exited()).toBe(130);
    expect(dial.err).toBe('');
    expect(JSON.parse(dial.out)).toMatchObject({ result: null, errors: [{ message: expect.any(String) }] });
  });

  test('before a call, and twice in one, still prints a JSON object', async () => {
    const answer = await answering('--json');
    const dial = run('dial', 'bob', '--json');
    const host = await peerHostOf(dial);
    await dial.saw(/connected/);
    // A stopped host cannot hang up.
    process.kill(host, 'SIGSTOP');
    dial.process.kill('SIGINT');
    dial.process.kill('SIGTERM');
    expect(await dial.exited()).toBe(130);
    expect(JSON.parse(dial.out)).toMatchObject({ result: null });
    answer.kill();

    const waiting = await answering('--json');
    waiting.process.kill('SIGINT');
    expect(await waiting.exited()).toBe(130);
    expect(JSON.parse(waiting.out)).toMatchObject({ result: null });
  });
});

/** Returns the process that runs the media engine for this command, as soon as it exists. */
async function peerHostOf({ process: { pid } }: Terminal): Promise<number> {
  const isHost = (child: string) => readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('peer-host');
  return vi.waitUntil(
    () => {
      const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
      return Number(children.find((child) => child !== '' && isHost(child)));
    },
    { timeout: scaled(20_000), interval: 10 },
  );
}

test('--keep answers one call after another', async () => {
  const answer = await answering('--keep', '--json');
  for (const tone of ['500', '600']) {
    const dial = run('dial', 'bob', '--audio', '--for', '1s', '--tone', tone);
    expect(await dial.exited()).toBe(0);
  }
  await answer.saw(/"tone":600/);
  answer.process.kill('SIGINT');
  expect(await answer.exited()).toBe(130);
  const tones = answer.out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).received.audio.tone);
  expect(tones).toEqual([500, 600]);
});

test('F14: an answerer continues after a restart of the exchange, and ends with 2 when the exchange refuses it', async () => {
  const first = await startSim({ demo: true, port: 0 });
  const answerers = ['bob', 'carol'].map((user) => {
    const terminal = ringback(['answer', '--as', user, '--keep'], { RINGBACK_SERVER: first.url });
    running.push(terminal);
    return terminal;
  });
  for (const answerer of answerers) await answerer.saw(/waiting as \S+\.\.\./);
  await first.close();

  const users = demoPeople().filter(({ u_id }) => u_id !== 'carol');
  const second = await startSim({ port: first.port, users, demo: true });
  try {
    const [bob, carol] = answerers;
    await bob?.saw(/the exchange does not answer; trying again\.\.\.\n[^]*the exchange answers again\n/);
    expect(await carol?.exited()).toBe(2);
    expect(carol?.err).toMatch(/no longer admits carol \(1800303\)/);
    await vi.waitFor(() => expect(second.exchange.presenceOf('bob')).toBe('online'), { timeout: scaled(20_000) });
    const dial = ringback(['dial', 'bob', '--for', '1s'], { RINGBACK_SERVER: second.url });
    running.push(dial);
    expect(await dial.exited()).toBe(0);
    // The report comes first, then the line of the next wait.
    await bob?.saw(/\nended by alice: completed, \d\.\ds\nwaiting as bob\.\.\.\n$/);
  } finally {
    await second.close();
  }
});
