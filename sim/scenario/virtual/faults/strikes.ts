import type { Strikes } from '../../run/world.ts';

/** Returns a function that decides for each message whether the fault affects it. */
export function striking({ first, nth, times, p }: Strikes, random: () => number): () => boolean {
  let met = 0;
  let struck = 0;
  return () => {
    met += 1;
    if (nth !== undefined && met !== nth) return false;
    if (first !== undefined && met > first) return false;
    if (times !== undefined && struck >= times) return false;
    if (p !== undefined && random() >= p) return false;
    struck += 1;
    return true;
  };
}
