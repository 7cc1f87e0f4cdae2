import { expect, it } from 'vitest';
import { type BreakableDevice, REAL_FAULTS, type RealSite } from '../../../cli/worlds/real/real-faults.ts';
import { injectFault } from '../../../sim/faults/inject-fault.ts';
import type { Gate } from '../../../cli/worlds/real/gate.ts';
import type { Fault } from '../../../sim/faults/vocabulary.ts';

/** Injects a fault into a device of Alice, and returns the actions of its start and of its end. */
function doneBy(fault: Fault): { readonly broken: string[]; readonly mended: string[] } {
  let done: string[] = [];
  const gate = (name: string): Gate => ({
    port: 0,
    set: (mode) => void done.push(`${name} ${mode}`),
    reset: () => void done.push(`${name} reset`),
    close: () => Promise.resolve(),
  });
  const device = {
    channelGate: gate('channel'),
    httpGate: gate('requests'),
    platform: { page: { go: () => undefined, goOnline: () => void done.push('online') } },
  } as unknown as BreakableDevice;
  const paths = {
    cut: (name: string) => void done.push(`media of ${name} cut`),
    restore: (name: string) => void done.push(`media of ${name} restored`),
    quality: () => undefined,
    setQuality: (a: string, b: string, quality?: object) =>
      void done.push(`${a} to ${b} ${quality ? 'worse' : 'as before'}`),
  };
  const site = {
    paths,
    messages: { add: () => () => undefined },
    devicesOf: (actor: string) => new Map(actor === 'alice' ? [['alice.phone', device]] : []),
    random: () => 0,
  } as unknown as RealSite;
  const mend = injectFault(fault, {}, { site, target: REAL_FAULTS });
  const broken = done;
  done = [];
  mend?.();
  return { broken, mended: done };
}

it('offline cuts signalling and media of a real device; network cuts signalling alone', () => {
  const signalling = ['channel down', 'channel reset', 'requests down', 'requests reset'];
  expect(doneBy({ kind: 'network', actor: 'alice' })).toEqual({
    broken: signalling,
    mended: ['channel up', 'requests up', 'online'],
  });
  expect(doneBy({ kind: 'offline', actor: 'alice' })).toEqual({
    broken: ['media of alice.phone cut', ...signalling],
    mended: ['media of alice.phone restored', 'channel up', 'requests up', 'online'],
  });
});

it('the media server is an end of media paths, beside each device of an actor', () => {
  expect(doneBy({ kind: 'media', actor: 'sfu' })).toEqual({
    broken: ['media of sfu cut'],
    mended: ['media of sfu restored'],
  });
  expect(doneBy({ kind: 'quality', between: ['alice', 'sfu'], loss: 0.2 })).toEqual({
    broken: ['alice.phone to sfu worse'],
    mended: ['alice.phone to sfu as before'],
  });
});
