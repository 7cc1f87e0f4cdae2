/** A database that lives in memory alone, and is gone with its process. */
export const IN_MEMORY = ':memory:';
