import * as v from 'valibot';

/**
 * Makes the schema of a list of at most `most` items. The length is read before the first item is, so a list that is too long costs
 * the same whatever its items are.
 */
export const boundedList = <T extends v.GenericSchema>(item: T, most: number) =>
  v.pipe(
    v.custom<unknown[]>((value) => Array.isArray(value), 'not a list'),
    v.maxLength(most),
    v.array(item),
  );

/**
 * Makes the schema of a record of at most `most` entries, with keys and values of these schemas. The entries are counted before the
 * first one is read.
 */
export const boundedRecord = <K extends v.GenericSchema<string, string | number | symbol>, T extends v.GenericSchema>(
  key: K,
  value: T,
  most: number,
) =>
  v.pipe(
    v.custom<object>((given) => typeof given === 'object' && given !== null && !Array.isArray(given), 'not a record'),
    v.check((given) => Object.keys(given).length <= most, `more than ${most} entries`),
    v.record(key, value),
  );
