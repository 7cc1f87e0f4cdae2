import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { replay } from '../../../cli/commands/replay.ts';
import { run } from '../../../cli/commands/run.ts';
import { keyboard } from '../../../cli/keyboard.ts';
import { command, heardCommand } from './support/command.ts';

let folder: string;
const file = (name: string) => join(folder, name);
const KEPT = 'out/fails-9.ndjson';

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ringback-replay-'));
  const head =
    'actors: { alice: { user: alice }, bob: { user: bob } }\nsteps:\n  - { do: alice.dial, with: { callee: bob } }\n';
  writeFileSync(
    file('fails.yaml'),
    `scenario: fails\n${head}  - { expect: { bob.call.state: ringing }, within: 1s }\n  - { expect: { bob.call.state: connected }, within: 1s }\n`,
  );
  writeFileSync(
    file('cases.yaml'),
    `scenario: cases\ncases: [{ pause: 1s }, { pause: 2s }]\n${head}  - { wait: $case.pause }\n`,
  );
  await command(run, file('fails.yaml'), '--seed', '9', '--out', file('out'));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('ringback replay', () => {
  it('replays the case of a trace to its end, and prints the verdict, every actor, and whether the traces are equal', async () => {
    const { out, code } = await command(replay, file(KEPT));
    expect(code).toBe(1);
    expect(out).toContain('fails, seed 9\n');
    expect(out).toContain('|-- dial -----');
    expect(out).toMatch(/\n {2}bob {5}call\.state ringing, .*sound ringing/);
    expect(out).toMatch(
      /failed: \S*fails\.yaml:6:7: not true within 1\.005s: bob\.call\.state is ringing, not connected\n/,
    );
    expect(out).toMatch(/no difference from the trace so far\n$/);
  });

  it('is the command that the list reporter prints for a failure', async () => {
    const { out } = await command(run, file('fails.yaml'), '--seed', '9', '--out', file('out'));
    expect(out).toContain(`        ringback replay ${file(KEPT)}\n`);
  });

  it('stops at a moment or at a state, and exits with 1 when the case never reaches it', async () => {
    const at = await command(replay, file('fails.yaml'), '--until', '500ms');
    expect([at.code, at.out]).toEqual([0, expect.stringContaining('\nat 500ms\n')]);
    const seen = await command(replay, 'direct/ring-timeout', '2', '--until', 'alice.call.state=ended');
    expect([seen.code, seen.out]).toEqual([0, expect.stringMatching(/\[ring 5s\], seed 1[\s\S]*at 5\.00\ds\n/)]);
    const never = await command(replay, file('cases.yaml'), 'pause 2s', '--until', 'bob.pc=closed');
    expect([never.code, never.out]).toEqual([1, expect.stringContaining('before this was true: bob.pc is closed\n')]);
  });

  it('names what it does not know: a case, a scenario, and a value that is never there', async () => {
    await expect(command(replay, file('cases.yaml'), 'zzz')).rejects.toThrow(
      'There is no case zzz. Which case of cases?',
    );
    await expect(command(replay, file('cases.yaml'), 'pause 1')).rejects.toThrow('(did you mean pause 1s?)');
    await expect(command(replay, 'direct/cancle')).rejects.toThrow('direct/cancle (did you mean direct/cancel?)');
    const until = (value: string) => command(replay, file('fails.yaml'), '--until', value);
    await expect(until('bob.call.state=conected')).rejects.toThrow(
      'bob.call.state is never conected (did you mean connected?).',
    );
    await expect(until('bob.calls=some')).rejects.toThrow('bob.calls is never some: it is a number.');
  });

  it('exits with 7 when it differs from the trace, and names the event', async () => {
    const text = readFileSync(file(KEPT), 'utf8');
    writeFileSync(file('changed.ndjson'), text.replace('"cmd":"dial_ack"', '"cmd":"dial_rcv"'));
    const { code, out } = await command(replay, file('changed.ndjson'));
    expect(code).toBe(7);
    expect(out).toMatch(
      /the replay differs from the trace at event \d+: it was 0\.001 s, exchange to alice: dial_rcv; now it is .* dial_ack\n/,
    );
    // The test asks for another seed on purpose.
    expect((await command(replay, file('changed.ndjson'), '--seed', '1')).code).toBe(1);
  });

  it('refuses a trace or a scenario that cannot be replayed, with the reason', async () => {
    const [head = '', ...events] = readFileSync(file(KEPT), 'utf8').split('\n');
    const written = (name: string, line: string) => {
      writeFileSync(file(name), [line, ...events].join('\n'));
      return file(name);
    };
    const run_ = JSON.parse(head) as object;
    const refused = (...words: string[]) => expect(command(replay, ...words)).rejects;
    await refused(written('headless.ndjson', '')).toThrow('does not name its run');
    await refused(written('real.ndjson', JSON.stringify({ ...run_, world: 'real' }))).toThrow(
      'a trace of the real world',
    );
    await refused(written('gone.ndjson', JSON.stringify({ ...run_, file: 'x.yaml' }))).toThrow(
      'is no longer at x.yaml',
    );
    await refused(written('case.ndjson', JSON.stringify({ ...run_, case: 'lost 3' }))).toThrow(
      'no longer has the case "lost 3"',
    );
    await refused(file(KEPT), '2').toThrow('A trace has one case');
    await refused(file('cases.yaml')).toThrow(/Which case of cases\?[\s\S]*1 {2}pause 1s\n {2}2 {2}pause 2s$/);
    await refused(file('cases.yaml'), '3').toThrow('Which case of cases?');
    await refused(file('fails.yaml'), '2').toThrow('has no cases');
    await refused('direct/none').toThrow('There is no file and no scenario direct/none');
    await refused(file('fails.yaml'), '--until', 'soon').toThrow('soon is neither a moment');
  });
});

describe('ringback replay --step', () => {
  /** Presses the keys of each stop. The keys of the last one repeat. */
  async function stepping(stops: readonly (readonly string[])[], ...words: string[]) {
    const undo = vi.fn();
    let press: (key: string) => void = () => undefined;
    let count = 0;
    const isThere = vi.spyOn(keyboard, 'isThere', 'get').mockReturnValue(true);
    const listen = vi.spyOn(keyboard, 'listen').mockImplementation((pressed) => {
      press = pressed;
      return undo;
    });
    const heard = (text: string) => {
      if (!text.includes('[ alice ')) return;
      const keys = stops[Math.min(count, stops.length - 1)] ?? [];
      count += 1;
      setImmediate(() => keys.forEach((key) => press(key)));
    };
    try {
      return { ...(await heardCommand(replay, [...words, '--step'], heard)), count, undo };
    } finally {
      isThere.mockRestore();
      listen.mockRestore();
    }
  }

  it('stops at every event, with the states of all actors, until the end', async () => {
    const { out, code, count, undo } = await stepping([['enter']], file('fails.yaml'));
    expect(code).toBe(1);
    expect(count).toBeGreaterThan(4);
    expect(out).toMatch(/-- \S*fails\.yaml:5: expect/);
    expect(out).toContain('[ alice dialing, plays dialing | bob ringing, plays ringing ]');
    expect(out.match(/\|-- dial ---/g)).toHaveLength(2);
    expect(undo).toHaveBeenCalledOnce();
  });

  it('goes to the end of a step or of the case, or exits, by a key; other keys do nothing', async () => {
    const step = await stepping([['x', 's'], ['c']], file('fails.yaml'));
    expect([step.count, step.code]).toEqual([2, 1]);
    expect(step.out).toMatch(/-- \S*fails\.yaml:4: alice\.dial\n +\[ alice/);
    const left = await stepping([['q']], file('fails.yaml'));
    expect([left.count, left.code, left.out.includes('failed:')]).toEqual([1, 0, false]);
    expect((await stepping([['ctrl-c']], file('fails.yaml'))).code).toBe(130);
  });

  it('requires a terminal', async () => {
    const isThere = vi.spyOn(keyboard, 'isThere', 'get').mockReturnValue(false);
    await expect(command(replay, file('fails.yaml'), '--step')).rejects.toMatchObject({
      message: '--step needs a terminal. Without a terminal, --until stops at a moment.',
      exitCode: 2,
    });
    isThere.mockRestore();
  });
});
