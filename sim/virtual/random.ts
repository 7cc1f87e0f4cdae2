/**
 * Returns a generator of pseudo-random numbers from 0 to 1, 1 excluded. The same seed gives the same numbers
 * (mulberry32).
 */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Returns a separate seed for each name, from the world's seed (FNV-1a). */
export function seedFor(seed: number, name: string): number {
  let hash = (2166136261 ^ seed) >>> 0;
  for (const char of name) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 16777619) >>> 0;
  return hash;
}

/**
 * Returns the source of random numbers for the faults of a world. Each call creates a separate generator: two faults
 * with one name share no numbers. The same seed gives the same generators.
 */
export function faultRandoms(seed: number): (name: string) => () => number {
  const counts = new Map<string, number>();
  return (name) => {
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return seededRandom(seedFor(seed, `fault ${name} ${count}`));
  };
}

/** Returns `length` random characters of the alphabet. */
export function randomText(random: () => number, length: number, alphabet: string): string {
  return Array.from({ length }, () => alphabet[Math.floor(random() * alphabet.length)] ?? '').join('');
}
