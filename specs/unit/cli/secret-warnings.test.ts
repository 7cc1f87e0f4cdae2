import { afterEach, expect, it, vi } from 'vitest';
import { accessTokenOf, warnOfPassword } from '../../../cli/secret-warnings.ts';
import { processOutput } from '../../../cli/process-output.ts';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

/** Returns what is written to standard error meanwhile. */
function warnings(act: () => void): string {
  let said = '';
  vi.spyOn(processOutput.err, 'write').mockImplementation((text) => void (said += text));
  act();
  return said;
}

it('B79 S46 a token on the command line is accepted with a warning that does not repeat it; one of the environment without', () => {
  const said = warnings(() => expect(accessTokenOf('my-token')).toBe('my-token'));
  expect(said).toMatch(/^Warning: .*--token.*RINGBACK_TOKEN.*\n$/);
  expect(said).not.toContain('my-token');
  vi.stubEnv('RINGBACK_TOKEN', 'of-the-environment');
  expect(warnings(() => expect(accessTokenOf(undefined)).toBe('of-the-environment'))).toBe('');
  vi.stubEnv('RINGBACK_TOKEN', '');
  expect(accessTokenOf(undefined)).toBeUndefined();
});

it('S46 a password in the url of a database causes a warning that does not repeat it', () => {
  const said = warnings(() => warnOfPassword('postgres://me:hunter2@127.0.0.1/calls'));
  expect(said).toMatch(/^Warning: .*--database.*PGPASSWORD.*\n$/);
  expect(said).not.toContain('hunter2');
  for (const place of ['postgres://me@127.0.0.1/calls', 'calls.db', ':memory:']) {
    expect(warnings(() => warnOfPassword(place))).toBe('');
  }
});
