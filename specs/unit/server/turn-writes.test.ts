import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { TurnWrites } from '../../../sim/server/turn-writes.ts';

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

const nextTurn = () => new Promise((resolve) => void setImmediate(resolve));

describe('the writes of a turn', () => {
  it('are one for each socket, in order, and the next turn has its own', async () => {
    const turn = new TurnWrites();
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

  it('are written earlier for one socket on request, and its later data at the end of the turn', async () => {
    const turn = new TurnWrites();
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
    const turn = new TurnWrites();
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
    const turn = new TurnWrites();
    const { stream, writes } = openStream();
    turn.hold(stream);
    stream.end('last');
    await nextTurn();
    expect(writes.flat()).toEqual(['last']);
  });
});
