/** The types of columns, which SQLite and PostgreSQL both know. */

export const text = 'text';
/** Takes milliseconds; SQLite knows it as an integer. */
export const time = 'bigint';
/** 0 or 1. */
export const flag = 'integer';
/** Takes 53 bits of it: coins, hundredths of points. */
export const whole = 'bigint';
/** SQLite takes the name for that of a column of any kind, and keeps bytes in it as bytes. */
export const bytes = 'bytea';
