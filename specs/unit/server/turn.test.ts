import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { FrameSource, Turn, type Urgency } from '../../../sim/server/turn.ts';
import { urgencyOf } from '../../../sim/server/frame-urgency.ts';
import { directCommand } from '../../../src/calls/realtime/command-frame.ts';
import { COMMANDS } from '../../../src/protocol/messages/commands.ts';

/** Returns a stream that records the texts of each write to the system. */
function openStream(): { readonly stream: Writable; readonly writes: string[][] } {
  const writes: string[][] = [];
  const stream = new Writable({
    writev(chunks, done) {
      writes.push(chunks.map(({ chunk }) => String(chunk)));
      done();
    },
  });
  return { stream, writes };
}

/** A socket whose frames a function handles. */
class TestSource extends FrameSource {
  readonly #handle: (text: string) => void;

  constructor(handle: (text: string) => void) {
    super();
    this.#handle = handle;
  }

  override handle(text: string): void {
    this.#handle(text);
  }
}

const nextTurn = () => new Promise((resolve) => void setImmediate(resolve));

describe('the writes of a turn', () => {
  it('are one for each socket, in order, and the next turn has its own', async () => {
    const turn = new Turn();
    const [one, other] = [openStream(), openStream()];
    const send = ({ stream }: typeof one, text: string) => {
      turn.hold(stream);
      stream.write(text);
    };
    send(one, 'a');
    send(other, 'b');
    send(one, 'c');
    expect([one.writes, other.writes]).toEqual([[], []]);
    await nextTurn();
    expect([one.writes, other.writes]).toEqual([[['a', 'c']], [['b']]]);
    send(one, 'd');
    await nextTurn();
    expect(one.writes).toEqual([['a', 'c'], ['d']]);
  });

  it('are written earlier for one socket on request, and its later data after the promises', async () => {
    const turn = new Turn();
    const [one, other] = [openStream(), openStream()];
    for (const { stream } of [one, other]) {
      turn.hold(stream);
      stream.write('a');
    }
    turn.flush(one.stream);
    expect([one.writes, other.writes]).toEqual([[['a']], []]);
    turn.hold(one.stream);
    one.stream.write('b');
    await nextTurn();
    expect([one.writes, other.writes]).toEqual([[['a'], ['b']], [['a']]]);
  });

  it('are dropped for a socket that is destroyed in the same turn, and the next turn works', async () => {
    const turn = new Turn();
    const [gone, other] = [openStream(), openStream()];
    gone.stream.on('error', () => undefined);
    const send = ({ stream }: typeof gone, text: string) => {
      turn.hold(stream);
      stream.write(text);
    };
    send(gone, 'a');
    send(other, 'b');
    gone.stream.destroy();
    send(gone, 'c');
    await nextTurn();
    expect([gone.writes, other.writes]).toEqual([[], [['b']]]);
    send(other, 'd');
    await nextTurn();
    expect([gone.writes, other.writes]).toEqual([[], [['b'], ['d']]]);
  });

  it('reach a socket that ends in the same turn', async () => {
    const turn = new Turn();
    const { stream, writes } = openStream();
    turn.hold(stream);
    stream.end('last');
    await nextTurn();
    expect(writes.flat()).toEqual(['last']);
  });
});

/** A turn in which each frame takes a millisecond, and whose parts run one by one. */
function openTurn() {
  let now = 0;
  const handled: string[] = [];
  const parts: (() => void)[] = [];
  const turn = new Turn({ now: () => now, whenRead: (run) => void parts.push(run) });
  const handle = (text: string) => {
    now += 1;
    handled.push(text);
  };
  const socket = () => new TestSource(handle);
  /** Ends the turn. Returns the frames that it handled. */
  const end = async () => {
    const from = handled.length;
    for (const part of parts.splice(0)) {
      part();
      // The promises of a part run before the next one, and what comes after them.
      await nextTurn();
    }
    return handled.slice(from);
  };
  const pass = (ms: number) => void (now += ms);
  return { turn, handled, handle, socket, end, pass, isPlanned: () => parts.length > 0 };
}

describe('the frames of a turn', () => {
  it('are handled in order when every socket is read, but urgent ones at once', async () => {
    const { turn, handled, socket, end, isPlanned } = openTurn();
    const [one, other] = [socket(), socket()];
    turn.receive(one, 'a', 'later');
    turn.receive(other, 'b', 'now');
    expect([handled, one.waiting]).toEqual([['b'], 1]);
    expect(await end()).toEqual(['a']);
    expect([one.waiting, isPlanned()]).toEqual([0, false]);
  });

  it('of one socket keep their order, also before an urgent one and before its close', async () => {
    const { turn, handled, socket, end } = openTurn();
    const [one, other] = [socket(), socket()];
    turn.receive(one, 'a', 'later');
    turn.receive(other, 'x', 'later');
    turn.receive(one, 'b', 'later');
    turn.receive(one, 'c', 'now');
    expect(handled).toEqual(['a', 'b', 'c']);
    turn.receive(one, 'd', 'later');
    turn.finish(one);
    expect(handled).toEqual(['a', 'b', 'c', 'd']);
    expect(await end()).toEqual(['x']);
  });

  it('of a call that ends are handled before others, after the earlier ones of their socket', async () => {
    const { turn, handled, socket, end, isPlanned } = openTurn();
    const [one, other, third, fourth] = [socket(), socket(), socket(), socket()];
    turn.receive(other, 'x', 'later');
    turn.receive(other, 'end of x', 'soon');
    turn.receive(one, 'a', 'later');
    turn.receive(third, 'y', 'later');
    turn.receive(fourth, 'end', 'soon');
    expect(handled).toEqual([]);
    // The ends took the two milliseconds, and one other frame is handled in any case.
    expect(await end()).toEqual(['x', 'end of x', 'a']);
    expect(await end()).toEqual(['end', 'y']);
    turn.receive(one, 'b', 'later');
    turn.receive(other, 'end again', 'soon');
    expect([await end(), await end(), isPlanned()]).toEqual([['end again', 'b'], [], false]);
  });

  it('are handled for two milliseconds, and the others in the next turns', async () => {
    const { turn, socket, end } = openTurn();
    const one = socket();
    for (const text of ['a', 'b', 'c', 'd', 'e']) turn.receive(one, text, 'later');
    expect(await end()).toEqual(['a', 'b']);
    turn.receive(one, 'f', 'later');
    expect([await end(), await end(), await end()]).toEqual([['c', 'd'], ['e', 'f'], []]);
  });

  it('of each socket are handled in turn', async () => {
    const { turn, handled, socket, end } = openTurn();
    const [one, other] = [socket(), socket()];
    for (const text of ['a', 'b', 'c']) turn.receive(one, text, 'later');
    for (const text of ['x', 'y']) turn.receive(other, text, 'later');
    for (let turns = 0; turns < 3; turns += 1) await end();
    expect(handled).toEqual(['a', 'x', 'b', 'y', 'c']);
  });

  it('are 256 of a socket that wait, and one more is handled at once, after them', async () => {
    const { turn, handled, socket, end } = openTurn();
    const one = socket();
    const texts = Array.from({ length: 258 }, (_, at) => String(at));
    for (const text of texts.slice(0, 256)) turn.receive(one, text, 'later');
    expect(handled).toEqual([]);
    for (const text of texts.slice(256)) turn.receive(one, text, 'later');
    expect(handled).toEqual(texts.slice(0, 257));
    expect(await end()).toEqual(texts.slice(257));
  });

  it('have at most 4 MiB that wait, with a cost of 64 characters each', async () => {
    const { turn, handled, socket, end } = openTurn();
    const [one, other] = [socket(), socket()];
    // The texts themselves are too long for the message of a failure.
    const numbers = () => handled.splice(0).map(Number);
    const send = (to: FrameSource, at: number, length = 64 * 1024 - 64) =>
      turn.receive(to, String(at).padStart(length), 'later');
    for (let at = 0; at < 64; at += 1) send(one, at);
    expect(numbers()).toEqual([]);
    send(other, 100, 1);
    expect(numbers()).toEqual([100]);
    await end();
    expect(numbers()).toEqual([0, 1]);
    send(other, 101, 64 * 1024);
    expect(numbers()).toEqual([]);
    send(other, 102);
    expect(numbers()).toEqual([101, 102]);
    turn.finish(one);
    expect(numbers()).toHaveLength(62);
    for (let at = 0; at < 64; at += 1) send(one, at);
    expect(numbers()).toEqual([]);
  });

  it('do not stop those of others when a handler throws', async () => {
    const { turn, socket, end } = openTurn();
    const { stream, writes } = openStream();
    const broken = new TestSource((text) => {
      throw new Error(text);
    });
    const one = socket();
    turn.receive(broken, 'a', 'later');
    turn.receive(broken, 'b', 'later');
    turn.receive(one, 'c', 'later');
    for (const text of ['a', 'b']) await expect(end()).rejects.toThrow(text);
    turn.hold(stream);
    stream.write('x');
    await nextTurn();
    expect([one.waiting, broken.waiting, writes]).toEqual([0, 0, [['x']]]);
  });

  it('report their longest wait', async () => {
    const { turn, socket, end } = openTurn();
    const one = socket();
    for (const text of ['a', 'b', 'c', 'd']) turn.receive(one, text, 'later');
    expect(turn.longestWait()).toBe(0);
    await end();
    expect(turn.longestWait()).toBe(1);
    await end();
    expect([turn.longestWait(), turn.longestWait()]).toEqual([3, 0]);
  });

  it('that are urgent have their messages leave after their promises, before other sockets are read', async () => {
    const { turn, socket, isPlanned } = openTurn();
    const { stream, writes } = openStream();
    const send = (text: string) => {
      turn.hold(stream);
      stream.write(text);
    };
    const dials = new TestSource((text) => {
      send(text);
      void Promise.resolve()
        .then(() => undefined)
        .then(() => send('ring'));
    });
    turn.receive(socket(), 'candidate', 'later');
    // As in the server, no promise runs around the frame.
    await new Promise<void>((resolve) => {
      setImmediate(() => {
        turn.receive(dials, 'dial', 'now');
        resolve();
      });
    });
    await nextTurn();
    expect([writes, isPlanned()]).toEqual([[['dial', 'ring']], true]);
  });

  it('come after the changes of urgent frames were stored and their messages left', async () => {
    const { turn, end } = openTurn();
    const { stream, writes } = openStream();
    const log: unknown[] = [];
    const stores = new TestSource(
      () =>
        void turn.end().then(() => {
          turn.hold(stream);
          stream.write('ring');
        }),
    );
    turn.receive(new TestSource(() => void log.push([...writes])), 'candidate', 'later');
    turn.receive(stores, 'dial', 'now');
    await end();
    expect([log, writes]).toEqual([[[['ring']]], [['ring']]]);
    turn.receive(stores, 'candidate', 'later');
    await end();
    expect(writes).toEqual([['ring']]);
    await end();
    expect(writes).toEqual([['ring'], ['ring']]);
  });
});

describe('the answers to frames that waited', () => {
  /** A turn with a socket that answers each frame with the same text. */
  function answering() {
    const opened = openTurn();
    const { stream, writes } = openStream();
    const { turn } = opened;
    const answers = new TestSource((text) => {
      opened.handle(text);
      turn.hold(stream);
      stream.write(text);
    });
    return { ...opened, answers, stream, writes };
  }

  it('are held for eight milliseconds while more frames wait, and leave when none does', async () => {
    const { turn, answers, end, writes } = answering();
    const texts = Array.from({ length: 13 }, (_, at) => String(at));
    for (const text of texts) turn.receive(answers, text, 'later');
    for (let turns = 0; turns < 4; turns += 1) await end();
    expect(writes).toEqual([]);
    await end();
    expect(writes).toEqual([texts.slice(0, 10)]);
    await end();
    expect(writes).toHaveLength(1);
    await end();
    expect(writes).toEqual([texts.slice(0, 10), texts.slice(10)]);
  });

  it('leave before other frames are handled when reading took long', async () => {
    const { turn, answers, handled, end, pass, writes } = answering();
    for (const text of ['a', 'b', 'c', 'd', 'e', 'f']) turn.receive(answers, text, 'later');
    await end();
    pass(8);
    const seen: unknown[] = [];
    turn.receive(answers, 'g', 'later');
    const watch = new TestSource(() => void seen.push(writes.length));
    turn.receive(watch, 'h', 'later');
    await end();
    expect([writes[0], handled.slice(0, 4)]).toEqual([
      ['a', 'b'],
      ['a', 'b', 'c', 'd'],
    ]);
    while (watch.waiting > 0) await end();
    expect(seen).toEqual([1]);
  });

  it('do not keep what a write to another socket causes', async () => {
    const { turn, answers, end, writes, stream } = answering();
    const causing = new Writable({
      write: (_chunk, _encoding, done) => {
        turn.hold(stream);
        stream.write('caused');
        done();
      },
    });
    turn.receive(answers, 'a', 'later');
    turn.hold(causing);
    causing.write('x');
    await end();
    await end();
    expect(writes.flat()).toEqual(['caused', 'a']);
  });

  it('leave with an urgent message of their socket', async () => {
    const { turn, answers, stream, end, writes } = answering();
    for (const text of ['a', 'b', 'c', 'd', 'e']) turn.receive(answers, text, 'later');
    await end();
    expect(writes).toEqual([]);
    const ring = () => {
      turn.hold(stream);
      stream.write('ring');
    };
    turn.receive(new TestSource(ring), 'dial', 'now');
    await end();
    expect(writes).toEqual([['a', 'b', 'ring']]);
    await end();
    expect(writes).toEqual([
      ['a', 'b', 'ring'],
      ['c', 'd', 'e'],
    ]);
  });
});

describe('the urgency of a frame', () => {
  it('is `now` for steps that users wait for, `soon` for an end, and `later` for other commands', () => {
    const call_id = 'c';
    const [dial, end, alive] = [
      directCommand('dial', {
        callee_id: 'bob',
        is_video_call: true,
        constraints: { audio: true, video: true },
        capabilities: [],
      }),
      directCommand('end', { call_id }),
      directCommand('alive', { call_id }),
    ].map((command) => JSON.stringify(command.frame('x'.repeat(64))));
    expect([dial, end, alive].map((text) => urgencyOf(text ?? ''))).toEqual(['now', 'soon', 'later']);
    const typesOf = (urgency: Urgency) =>
      Object.values(COMMANDS)
        .flatMap((group) => Object.keys(group))
        .filter((type) => urgencyOf(JSON.stringify({ version: 1, request_id: 'r', cmd: 'CALL', type })) === urgency);
    expect([typesOf('now'), typesOf('soon')]).toEqual([['dial', 'accept', 'cancel', 'decline'], ['end']]);
    expect(urgencyOf('{ "version": 1, "request_id": "r", "cmd": "CALL", "type": "dial", "payload": {} }')).toBe('now');
    // A frame that hides the type of a step in its content keeps its place.
    const hidden = {
      version: 1,
      request_id: '"type":"dial"',
      cmd: 'SGNL',
      type: 'offer',
      payload: { sdp: 'x'.repeat(200) },
    };
    expect(urgencyOf(JSON.stringify(hidden))).toBe('later');
  });
});
