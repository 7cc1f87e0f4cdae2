/** `ringback load` with processes: its own exchange, several that make the calls, and one with media. */
import { expect, it } from 'vitest';
import { load } from '../../cli/commands/load.ts';
import { EXIT } from '../../cli/exit-codes.ts';
import { command } from '../unit/cli/support/command.ts';

it('starts a fresh exchange, and joins the results of two processes', async () => {
  const words = ['--rate', '20', '--duration', '1s', '--hold', '200ms', '--processes', '2', '--json'];
  // A fifth call is due when the hold of the first one ends, and the set-up takes time. So calls wait.
  const { out, err, code } = await command(load, ...words, '--concurrency', '4');
  expect(err).toContain('Starting a fresh exchange');
  const { calls, outcomes, times, interrupted, slots } = JSON.parse(out);
  expect(code).toBe(EXIT.ok);
  expect(interrupted).toBe(false);
  expect(calls).toMatchObject({ due: 20, dialled: 20, failed: 0 });
  expect(outcomes).toEqual([{ outcome: 'completed', detail: '', count: 20 }]);
  expect(times['dial-to-ring'].count).toBe(20);
  expect(slots[0].dialled).toBeGreaterThan(0);
  expect(calls.waited).toBeGreaterThan(0);
});

it('ends every process when one of them cannot sign its users in', async () => {
  const words = ['--server', 'http://127.0.0.1:1', '--rate', '2', '--processes', '2'];
  const said = await command(load, ...words).catch((error: Error) => error.message);
  expect(said).toContain('No exchange answers at http://127.0.0.1:1');
});

it.each(['tone', 'video'])('hears the media of both sides of each call: %s', async (media) => {
  const words = ['--media', media, '--rate', '1', '--duration', '3s', '--hold', '1500ms', '--json'];
  const { out, code } = await command(load, ...words, '--mix', 'complete=2,decline=1');
  const { calls, outcomes, times } = JSON.parse(out);
  expect({ code, outcomes }).toEqual({
    code: EXIT.ok,
    outcomes: [
      { outcome: 'completed', detail: '', count: 2 },
      { outcome: 'declined', detail: '', count: 1 },
    ],
  });
  expect(calls).toMatchObject({ due: 3, failed: 0, heard: 2 });
  expect(times['accept-to-connected'].count).toBe(2);
  expect(times['end-to-ended'].count).toBe(3);
});
