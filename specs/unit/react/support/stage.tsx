import type { ReactNode } from 'react';
import { FakeCallingLibrary } from '../../../../src/app/testing/fakes/fake-calling-library.ts';
import { FakeConnectivity } from '../../../../src/app/testing/fakes/fake-connectivity.ts';
import { RecordingLogger } from '../../../../src/app/testing/fakes/recording-logger.ts';
import { RingbackContext, browserPorts, createRingback } from '../../../../src/react/index.ts';
import { HandClock } from '../../support/hand-clock.ts';

export const mina = { userId: 'mina', nickname: 'Mina', profileUrl: '/mina.svg' };
export const kai = { userId: 'kai', nickname: 'Kai', profileUrl: '' };

/** Resolves after the pending work of the fakes. */
export const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A started session on a fake library, whose clock the test moves. */
export async function startedStage() {
  const library = new FakeCallingLibrary();
  const clock = new HandClock();
  const connectivity = new FakeConnectivity(true);
  const logger = new RecordingLogger();
  const ringback = createRingback({
    ...browserPorts(),
    service: () => ({ appId: 'app-1' }),
    load: () => Promise.resolve(library),
    credentials: () => ({ userId: 'me' }),
    connectivity,
    clock,
    random: () => 0.5,
    logger,
  });
  await ringback.start();
  const within = (content: ReactNode) => (
    <RingbackContext.Provider value={ringback}>{content}</RingbackContext.Provider>
  );
  return { library, clock, connectivity, logger, ringback, within };
}

/** Returns the last call that was dialled. */
export function lastDialled(library: FakeCallingLibrary) {
  const call = library.dialled.at(-1);
  if (call === undefined) throw new Error('Nothing was dialled');
  return call;
}
