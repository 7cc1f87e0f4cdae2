/** The types of columns that both SQLite and PostgreSQL know. */

export const text = 'text';
/** Milliseconds. An integer in SQLite. */
export const time = 'bigint';
/** 0 or 1. */
export const flag = 'integer';
/** A whole number of up to 53 bits: coins, hundredths of points. */
export const whole = 'bigint';
/** Bytes. SQLite has no type of this name, and stores bytes as they are. */
export const bytes = 'bytea';
