import type { Fault } from './vocabulary.ts';

/** Returns a fault in a few words. */
export function faultText(fault: Fault): string {
  return Object.entries(fault)
    .map(([key, value]) => (key === 'kind' ? String(value) : `${key} ${inWords(value)}`))
    .join(' ');
}

function inWords(value: unknown): string {
  if (Array.isArray(value)) return value.join(' and ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
