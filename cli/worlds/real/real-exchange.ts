import type { Clock } from '../../../src/common/clock.ts';
import { DEFAULT_SETTINGS } from '../../../sim/exchange/settings.ts';
import type { ProductPerson } from '../../../sim/product/product-person.ts';
import type { Scenario } from '../../../sim/scenario/format/tree.ts';
import { startExchangeHere, startRestartableExchange } from './exchange-here.ts';
import { startExchangeProcess } from './exchange-process.ts';
import { mediaPathsOf, type OpenPath } from './media-paths.ts';
import type { WorldExchange } from './world-exchange.ts';

/**
 * Where an exchange runs. `process`: in its own, with a database, so that it can be stopped and killed. `here`: in this
 * process. `restartable`: in this process with a database, so that it can be restarted.
 */
export type ExchangePlace = 'here' | 'process' | 'restartable';

interface Options {
  /** How many times faster the waits of the exchange run. */
  readonly timeScale: number;
  readonly openPath: OpenPath;
  readonly clock: Clock;
  readonly place?: ExchangePlace;
  /** Whether the engine of rooms is loaded before the story begins, which takes seconds on a slow machine. */
  readonly hasRooms: boolean;
}

/** Starts the exchange of a real world on a free port of this machine, for these users only. */
export async function startRealExchange(
  actors: readonly { readonly user: string }[],
  { timeScale, openPath, clock, place = 'here', hasRooms }: Options,
): Promise<WorldExchange> {
  const { ringTimeoutMs, setupTimeoutMs, aliveSilenceMs, messages } = DEFAULT_SETTINGS;
  const users = [...new Set(actors.map(({ user }) => user))].map(personOf);
  const settings = {
    ringTimeoutMs: ringTimeoutMs / timeScale,
    setupTimeoutMs: setupTimeoutMs / timeScale,
    aliveSilenceMs: aliveSilenceMs / timeScale,
    messages: { ...messages, perSecond: messages.perSecond * timeScale },
  };
  if (place === 'process') return startExchangeProcess({ users, settings, openPath, clock, hasRooms });
  if (hasRooms) await import('../../../sim/media/sfu/sfu.ts');
  const paths = mediaPathsOf(openPath);
  const sim = { demo: true, users, ...paths, settings, clock };
  return place === 'restartable' ? startRestartableExchange(sim) : startExchangeHere(sim);
}

/** Returns where the exchange of a scenario runs. A fault whose way the case fills in may need a process. */
export const placeOf = ({ steps }: Pick<Scenario, 'steps'>): ExchangePlace =>
  steps.some(
    (step) =>
      step.verb === 'fault' && step.fault.kind === 'server' && /^(restart|crash|wipe|\$.*)$/.test(step.fault.how),
  )
    ? 'process'
    : 'here';

/** Creates a user profile of which only the name matters. */
const personOf = (user: string): ProductPerson => ({
  u_id: user,
  nickname: user,
  gender_type: 'woman',
  age: 30,
  city: '',
  price: 0,
  verified: false,
  accepts_video: true,
  joined_at: 0,
});
