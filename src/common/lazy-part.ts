/** A part of a program that is loaded when it is first needed. */
export interface LazyPart<Part> {
  /** The part. Undefined until it was loaded. */
  readonly loaded: Part | undefined;
  /** Returns the part, and loads it first when needed. Rejects when it cannot be loaded. The next call tries again. */
  load(): Promise<Part>;
}

/** Returns a part that `load` loads once. Calls during the load wait for the same load. */
export function lazyPart<Part>(load: () => Promise<Part>): LazyPart<Part> {
  let loaded: Part | undefined;
  let loading: Promise<Part> | undefined;
  return {
    get loaded() {
      return loaded;
    },
    load: () =>
      (loading ??= load().then(
        (part) => (loaded = part),
        (error: unknown) => {
          loading = undefined;
          throw error;
        },
      )),
  };
}

/** Returns a part that is loaded already, as in virtual time, where nothing loads in the background. */
export const loadedPart = <Part>(part: Part): LazyPart<Part> => ({ loaded: part, load: () => Promise.resolve(part) });
