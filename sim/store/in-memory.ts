/** The name of a database in memory, which ends with its process. */
export const IN_MEMORY = ':memory:';
