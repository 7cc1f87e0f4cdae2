/** Resolves in the next turn of the event loop. SQLite answers within the turn, so a loop over many rows must yield. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
