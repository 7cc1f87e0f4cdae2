/** The users of a bench. */
export const userIdOf = (at: number): string => `bench-${at}`;
