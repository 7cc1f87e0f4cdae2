import { beforeEach, describe, expect, it } from 'vitest';
import { Lifetime } from '../../../src/common/lifetime.ts';

let done: string[];
let lifetime: Lifetime;
beforeEach(() => {
  done = [];
  lifetime = new Lifetime((error) => done.push(String(error)));
});
const part = (name: string) => ({ name, dispose: () => void done.push(name) });

describe('a lifetime', () => {
  it('stops its parts at once, in the reverse order of their start, and only once', async () => {
    expect(lifetime.add(part('first')).name).toBe('first');
    lifetime.add(part('second'));
    const ended = lifetime.dispose();
    expect(done).toEqual(['second', 'first']);
    await Promise.all([ended, lifetime.dispose()]);
    expect(done).toEqual(['second', 'first']);
  });

  it('waits for a part before it stops the part that was started earlier', async () => {
    lifetime.add(part('first'));
    let stop: () => void = () => undefined;
    lifetime.add({ dispose: () => new Promise((resolve) => (stop = resolve)) });
    const ended = lifetime.dispose();
    expect(done).toEqual([]);
    stop();
    await ended;
    expect(done).toEqual(['first']);
  });

  it('stops the other parts when one fails, and reports the failure', async () => {
    lifetime.add(part('first'));
    lifetime.add({
      dispose() {
        throw new Error('broken');
      },
    });
    lifetime.add({ dispose: () => Promise.reject(new Error('late')) });
    await lifetime.dispose();
    expect(done).toEqual(['Error: late', 'Error: broken', 'first']);
  });

  it('ignores what a part returns that is no promise, such as the result of deleting a listener', async () => {
    const listeners = new Set(['listener']);
    const unsubscribe: () => void = () => listeners.delete('listener');
    lifetime.add({ dispose: unsubscribe });
    await lifetime.dispose();
    expect([done, listeners.size]).toEqual([[], 0]);
  });

  it('stops at once a part that starts after the end, and waits for it', async () => {
    await lifetime.dispose();
    let stop: () => void = () => undefined;
    lifetime.add(part('late'));
    lifetime.add({ dispose: () => new Promise((resolve) => (stop = resolve)) });
    expect(done).toEqual(['late']);
    const ended = lifetime.dispose().then(() => done.push('ended'));
    await Promise.resolve();
    expect(done).toEqual(['late']);
    stop();
    await ended;
    expect(done).toEqual(['late', 'ended']);
  });

  it('settles its parts one after the other, also after the end', async () => {
    for (const name of ['first', 'second']) lifetime.add({ settled: async () => void done.push(name) });
    lifetime.add({});
    await lifetime.dispose();
    await lifetime.settled();
    expect(done).toEqual(['first', 'second']);
  });
});
