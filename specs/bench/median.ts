/** Returns the middle value, the upper one of two. Infinity without values: a bench that measured nothing must fail. */
export const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[values.length >> 1] ?? Infinity;
