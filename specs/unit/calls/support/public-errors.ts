import { expect } from 'vitest';
import { CallError } from '../../../../src/protocol/errors.ts';
import { SPECIFIED } from '../../protocol/specified-errors.ts';

/** The parts of an error in the specification: number, public name and default message. */
export function publicError(code: number): { code: number; name: string; message: string } {
  const [, name, message] = SPECIFIED.find(([number]) => number === code) ?? [];
  if (name === undefined || message === undefined) throw new Error(`${code} is no error of the specification`);
  return { code, name, message };
}

/** Returns the code that a call of the library throws, after a check of its name and message. */
export function thrownCode(run: () => unknown): number | 'nothing thrown' {
  try {
    run();
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    expect(error).toMatchObject(publicError(error.code));
    return error.code;
  }
  return 'nothing thrown';
}
