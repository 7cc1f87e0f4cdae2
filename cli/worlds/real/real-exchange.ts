import type { MediaPath } from '../../../sim/exchange/media-path.ts';
import { DEFAULT_SETTINGS } from '../../../sim/exchange/settings.ts';
import type { ProductPerson } from '../../../sim/product/product-person.ts';
import { type Sim, startSim } from '../../../sim/server/start-sim.ts';

interface Options {
  /** How many times faster its own waits run. */
  readonly timeScale: number;
  readonly mediaPath: (callId: string) => MediaPath;
}

/** The exchange of a real world, on a free port of this machine, for these users alone. */
export function startRealExchange(users: readonly { readonly user: string }[], options: Options): Promise<Sim> {
  const { timeScale, mediaPath } = options;
  const { ringTimeoutMs, setupTimeoutMs, aliveSilenceMs, messages } = DEFAULT_SETTINGS;
  return startSim({
    port: 0,
    demo: true,
    users: [...new Set(users.map(({ user }) => user))].map(personOf),
    mediaPath,
    settings: {
      ringTimeoutMs: ringTimeoutMs / timeScale,
      setupTimeoutMs: setupTimeoutMs / timeScale,
      aliveSilenceMs: aliveSilenceMs / timeScale,
      messages: { ...messages, perSecond: messages.perSecond * timeScale },
    },
  });
}

/** Somebody of whom only the name matters. */
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
