import * as v from 'valibot';

/**
 * Makes the schema of a list of at most `most` items. It checks the length before the first item, so the check of a
 * long list is cheap.
 */
export const boundedList = <T extends v.GenericSchema>(item: T, most: number) =>
  v.pipe(
    v.custom<readonly unknown[]>((value) => Array.isArray(value), 'not a list'),
    v.maxLength(most),
    v.array(item),
  );

/**
 * Makes the schema of a record of at most `most` entries, with keys and values of these schemas. It counts the entries
 * before it reads the first.
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
