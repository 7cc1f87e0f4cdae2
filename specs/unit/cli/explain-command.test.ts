/** `ringback explain`. */
import { describe, expect, it, vi } from 'vitest';
import { CommandError } from '../../../cli/command-error.ts';
import { explain } from '../../../cli/commands/explain.ts';
import { processOutput } from '../../../cli/process-output.ts';
import { TOPICS, wordsOf } from '../../../sim/scenario/format/explain.ts';

/** Runs the command. Returns its output. */
async function ringbackExplain(...words: string[]): Promise<string> {
  let said = '';
  const out = vi.spyOn(processOutput.out, 'write').mockImplementation((text) => void (said += text));
  try {
    await explain.declare(() => {}).parseAsync(words, { from: 'user' });
  } finally {
    out.mockRestore();
  }
  return said;
}

describe('ringback explain', () => {
  it('prints the parameters of an action with their types and defaults, and an example', async () => {
    const text = await ringbackExplain('action', 'dial');
    expect(text).toMatch(/^action dial\n {2}Calls a user\. .*\n/);
    expect(text).toContain('  callee  (a text, required)\n');
    expect(text).toMatch(/^ {2}video {2}\(true or false\)\n.* Default: false\.$/m);
    expect(text).toMatch(/\nexample\n {2}- \{ do: alice\.dial, .*\n$/);
  });

  it('prints the keys of a fault, and the meaning of each value', async () => {
    expect(await ringbackExplain('fault', 'network')).toMatch(/^fault network\n {2}Signalling alone is cut/);
    const text = await ringbackExplain('fault', 'state');
    expect(text).toContain('  how  (one of these, required)\n');
    expect(text).toMatch(/^ {6}down {2}it refuses connections$/m);
  });

  it.each([
    [['path', 'call.recording'], 'value\n  one of none, recording\n'],
    [['path', 'call.role'], 'values\n  caller  the user has dialled\n'],
    [['path', 'server.calls'], 'value\n  a number\n'],
    [['verb', 'see'], '  see.cmd  (a text)\n'],
    [['bound', 'within'], 'value\n  a span of time\n'],
    [['fragment'], '  steps  (a list of steps, required)\n'],
  ])('describes %j', async (words, part) => {
    expect(await ringbackExplain(...words)).toContain(part);
  });

  it('lists every word, or those of a topic, in a line each', async () => {
    const lines = async (...words: string[]) => (await ringbackExplain(...words)).trimEnd().split('\n');
    const all = TOPICS.flatMap((topic) => wordsOf(topic).map((name) => `${topic} ${name}`));
    expect((await lines('list')).map((line) => line.split(/ {2,}/)[0])).toEqual(all);
    expect(await lines()).toEqual(await lines('list'));
    expect(await lines('verb')).toHaveLength(wordsOf('verb').length);
  });

  it('prints one object for a word as JSON, and a list for several', async () => {
    expect(JSON.parse(await ringbackExplain('action', 'enter', '--json'))).toMatchObject({
      topic: 'action',
      name: 'enter',
      parts: expect.arrayContaining([
        { name: 'video', type: 'true or false', isRequired: false, default: true, description: expect.any(String) },
      ]),
    });
    expect(JSON.parse(await ringbackExplain('bound', '--json'))).toHaveLength(wordsOf('bound').length);
  });

  it.each([
    [['action', 'acept'], 'There is no action acept (did you mean accept?)'],
    [['path', 'call.recordin'], 'There is no path call.recordin (did you mean call.recording?)'],
    [['fault', 'earthquake'], 'There is no fault earthquake; ringback explain fault lists them'],
    [['accept'], 'There is no topic accept (did you mean action accept?)'],
    [['acton', 'accept'], 'There is no topic acton (did you mean action?)'],
    [['list', 'accept'], 'list has no words: leave accept out.'],
  ])('refuses %j in one line, with exit code 2', async (words, message) => {
    const error = await ringbackExplain(...words).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(CommandError);
    expect([(error as CommandError).exitCode, (error as CommandError).message]).toEqual([2, message]);
  });
});
