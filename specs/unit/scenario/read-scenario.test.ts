import { describe, expect, it } from 'vitest';
import { spanOf, spanText } from '../../../sim/format/duration.ts';
import { nearWord } from '../../../sim/format/near-word.ts';
import { readScenario, type OpenFragment } from '../../../sim/scenario/format/read-scenario.ts';
import { InvalidFile } from '../../../sim/format/source.ts';

const HEAD = `scenario: mine
actors: { alice: { user: alice }, bob: { user: bob, devices: [phone, laptop] } }
`;

const NO_LABEL = /^5:7: no step before this one has the label cutt \(did you mean cut\?\)$/;

/** The faults of a file, as `line:column: message`. */
function faultsOf(text: string, open?: OpenFragment): string[] {
  try {
    readScenario('mine.yaml', text, open);
    return [];
  } catch (error) {
    if (!(error instanceof InvalidFile)) throw error;
    return error.message.split('\n').map((line) => line.replace('mine.yaml:', ''));
  }
}

describe('a scenario file', () => {
  it('is read with its defaults, its steps in order and their places', () => {
    const scenario = readScenario(
      'mine.yaml',
      `${HEAD}steps:\n  - { do: alice.dial, with: { callee: bob } }\n  - wait: 2s\n`,
    );
    expect(scenario).toMatchObject({ scenario: 'mine', seed: 1, spec: [], tags: [], timers: {}, file: 'mine.yaml' });
    expect(scenario.steps).toMatchObject([
      { verb: 'do', do: 'alice.dial', place: { file: 'mine.yaml', line: 4, column: 7 } },
      { verb: 'wait', wait: '2s', place: { line: 5, column: 5 } },
    ]);
  });

  it.each([
    [
      'a verb nobody knows',
      '  - { expct: { alice.call.state: dialing } }',
      /^4:7: a step needs exactly one of do, expect.*; found expct \(did you mean expect\?\)$/,
    ],
    ['two verbs', '  - { do: alice.end, wait: 2s }', /^4:7: .*found do and wait$/],
    ['no map', '  - alice.dial', /^4:5: a step is a map with one of .*; found "alice.dial"$/],
    [
      'an actor who is not there',
      '  - { do: alcie.dial }',
      /^4:7: there is no actor alcie \(did you mean alice\?\): known are alice, bob, bob.phone, bob.laptop$/,
    ],
    ['an actor of a path', '  - { expect: { bobby.call.state: x } }', /^4:17: there is no actor bobby/],
    [
      'a key nobody knows',
      '  - { wait: 2s, lable: x }',
      /^4:17: lable is not known here \(did you mean label\?\): known are wait, label, when$/,
    ],
    [
      'an action nobody knows',
      '  - { do: alice.dail }',
      /^4:7: there is no action dail \(did you mean dial\?\); "ringback explain action" lists all$/,
    ],
    [
      'an action far from any',
      '  - { do: alice.levitate }',
      /^4:7: there is no action levitate: similar are \w+, \w+, \w+; "ringback explain action" lists all$/,
    ],
    [
      'a value that the action does not take',
      '  - { do: alice.dial, with: { callee: bob, vidoe: true } }',
      /^4:44: vidoe is not known here \(did you mean video\?\): known are callee, video, items, .*, hold$/,
    ],
    ['a value that the action needs', '  - { do: alice.dial, with: { video: true } }', /^4:23: callee is missing$/],
    [
      'a path that is not to be seen',
      '  - { expect: { alice.call.stat: x } }',
      /^4:17: alice has no value call\.stat \(did you mean call\.state\?\); "ringback explain path" lists all$/,
    ],
    [
      'a value that never is, where it is never to be',
      '  - { never: { expect: { alice.call.state: conected } } }',
      /^4:26: alice\.call\.state is never conected \(did you mean connected\?\)$/,
    ],
    [
      'a number where a value is true or false',
      '  - { expect: { alice.call.state: connected, alice.call.onHold: 3 } }',
      /^4:46: alice\.call\.onHold is never 3: it is true or false$/,
    ],
    [
      'a text where a value is a number',
      '  - { expect: { server.calls: one } }',
      /^4:17: server\.calls is never one: it is a number$/,
    ],
    [
      'a value that is like none of the possible ones',
      '  - { expect: { alice.call.recording: { on: true } } }',
      /^4:17: alice\.call\.recording is never \{"on":true\}: it is one of none, recording$/,
    ],
    [
      'an item that a list never has',
      '  - { expect: { server.results: [completed, 3] } }',
      /^4:45: server\.results is never 3: it is one of .*completed/,
    ],
    [
      'an entry that a map never has',
      '  - { expect: { alice.room.remoteAudio: { bob: off } } }',
      /^4:43: alice\.room\.remoteAudio is never off: it is true or false$/,
    ],
    [
      'a path that is like none',
      '  - { expect: { alice.weather: fine } }',
      /^4:17: alice has no value weather: similar are \w+, \w+, \w+; "ringback explain path" lists all$/,
    ],
    [
      'a key that is like none',
      '  - { wait: 2s, colour: red }',
      /^4:17: colour is not known here: known are wait, label, when$/,
    ],
    [
      'what the exchange does not show',
      '  - { expect: { server.call: 1 } }',
      /server has no value call .*mean calls\?/,
    ],
    [
      'a message nobody sends',
      '  - { never: { from: alice, cmd: ofer } }',
      /^4:29: there is no message ofer \(did you mean offer\?\)$/,
    ],
    [
      'a fault of a message nobody sends',
      '  - { fault: { kind: drop, from: alice, cmd: ofer } }',
      /^4:41: there is no message ofer \(did you mean offer\?\)$/,
    ],
    ['a span without a unit', '  - { wait: 2 }', /^4:7: wait must be a span of time like 500ms, 2s or 1m; found 2$/],
    [
      'a fault of no kind',
      '  - { fault: { kind: explode, actor: alice } }',
      /fault.kind must be one of drop, delay.*; found "explode"$/,
    ],
    [
      'a fault of a kind that is misspelt',
      '  - { fault: { kind: sleeep, actor: alice } }',
      /^4:16: fault.kind must be one of .*; found "sleeep" \(did you mean sleep\?\)$/,
    ],
    [
      'a fault that says what another way of it would need',
      '  - { fault: { kind: ws, actor: alice, how: close } }',
      /fault must have code where how is close, and nowhere else$/,
    ],
    [
      'a way of a fault that is misspelt',
      '  - { fault: { kind: ws, actor: alice, how: reste } }',
      /^4:40: fault.how must be one of reset, close, .*; found "reste" \(did you mean reset\?\)$/,
    ],
    ['a fault that lacks something', '  - { fault: { kind: ws, how: reset } }', /fault.actor is missing/],
    [
      'a fault of a node, where there is only one',
      '  - { fault: { kind: node, of: node-1, how: crash } }',
      /^4:16: a fault of kind node needs several nodes: add nodes: 3 to the head$/,
    ],
    ['a fault about nobody', '  - { fault: { kind: drop, from: carol, cmd: offer } }', /there is no actor carol/],
    [
      'a key that is misspelt below the step',
      '  - { see: { from: alice, cmd: offer, wiht: {} } }',
      /see\.wiht is not known here \(did you mean with\?\)/,
    ],
    ['nothing in particular', '  - { never: { from: alice } }', /^4:7: .*one of cmd, http, ws; found none$/],
    ['two things at once', '  - { see: { cmd: offer, ws: open } }', /^4:7: .*; found cmd and ws$/],
    [
      'a pattern that is none',
      "  - { expect: { alice.call.id: '/(/' } }",
      /^4:17: \/\(\/ is not a regular expression: Unterminated group$/,
    ],
    [
      'a pattern in a message',
      "  - { see: { cmd: offer, with: { sdp: '/[/' } } }",
      /^4:34: .* is not a regular expression/,
    ],
    ['half a step', '  - { see: { from: alice, cmd: offer }, times: 0.5 }', /times must be .*; found 0\.5/],
    ['a moment nobody has named', '  - { wait: 1s, label: cut }\n  - { expect: {}, since: cutt }', NO_LABEL],
    ['a moment that is still to come', '  - { expect: {}, since: cut }\n  - { wait: 1s, label: cut }', /^4:7: no step/],
    [
      'a fault that nobody made',
      '  - { fault: { kind: network, actor: alice }, as: cut }\n  - { clear: cutt }',
      /^5:7: no fault before this step is named cutt \(did you mean cut\?\)$/,
    ],
    [
      'a call that nobody kept',
      "  - { do: alice.dial, with: { callee: bob }, as: call }\n  - { see: { http: 'GET /$cal.id' } }",
      /^5:7: no step before this one defines cal \(did you mean call\?\): as: cal at an action names its result$/,
    ],
    ['a value of no case', '  - { wait: 1s, when: not $case.stays }', /^4:7: no case has a value stays$/],
    [
      'a timer there is not',
      '  - { wait: $timers.rings }',
      /^4:7: there is no timer rings \(did you mean ring\?\): known are ring, connection$/,
    ],
    ['a name that is taken', '  - { do: alice.end, as: case }', /as must be another name: case and timers are taken/],
    ['a condition that is none', '  - { wait: 1s, when: $case.end = connected }', /when must be a condition like/],
    ['a code that is none', '  - { do: alice.end, fails: declined }', /^4:22: fails must be/],
    ['two bounds', '  - { expect: {}, within: 1s, at: 2s }', /^4:31: .* this has within already$/],
    ['two bounds of a message', '  - { see: { ws: open }, within: 1s, every: 2s }', /this has within already$/],
    ['moments at which values come true', '  - { expect: {}, at: [1s, 2s] }', /a list of moments is for see/],
    ['moments that are counted', '  - { see: { ws: open }, at: [1s, 2s], times: 3 }', /^4:40: .*: leave times out$/],
    ['yaml that is none', '  - { do: alice.dial', /^\d+:\d+: /],
  ])('is refused with line and column: %s', (_, step, message) => {
    expect(faultsOf(`${HEAD}steps:\n${step}\n`)[0]).toMatch(message);
  });

  it('accepts a fault of any message, and one that forges an unknown message', () => {
    const of = (cmd: string) => `  - { fault: { kind: drop, from: alice, cmd: ${cmd} } }\n`;
    const forged = '  - { fault: { kind: forge, to: alice, cmd: whatever, payload: {} } }\n';
    expect(() => readScenario('mine.yaml', `${HEAD}steps:\n${of('any')}${forged}`)).not.toThrow();
  });

  it('is refused with the known keys of a fault, an action and an event', () => {
    const faults = faultsOf(
      `${HEAD}steps:
  - { fault: { kind: network, actor: alice, of: alice } }
  - { fault: { kind: server, how: restart, action: restart } }
  - { do: bob.phone.accept, with: { holdActiveCall: true } }
  - { expect: { alice.call.held: true } }
`,
    );
    expect(faults).toEqual([
      '4:45: fault.of is not known here: known are kind, actor',
      '5:44: fault.action is not known here: known are kind, how, user, by, back',
      '6:37: holdActiveCall is not known here: known are audioEnabled, videoEnabled, frontCamera, videoWidth, videoHeight, videoFps, hold',
      '7:17: alice has no value call.held: similar are call.id, call.role, call.onHold; "ringback explain path" lists all',
    ]);
  });

  it('explains a name of another kind: the name of a fault, a label, a result', () => {
    const steps = `  - { fault: { kind: offline, actor: alice }, as: wifi, label: cut }
  - { do: alice.dial, with: { callee: bob }, as: call }
  - { expect: {}, within: 1s, since: wifi }
  - { clear: cut }
  - { expect: {}, since: call }
`;
    expect(faultsOf(`${HEAD}steps:\n${steps}`)).toEqual([
      '6:7: wifi is the name of a fault. `label` names a moment: add label: wifi to the step in line 4 of mine.yaml',
      '7:7: cut is the label. `clear` needs the `as` of a fault: add as: cut to the step in line 4 of mine.yaml',
      '8:7: call is the result of an action. `label` names a moment: add label: call to the step in line 5 of mine.yaml',
    ]);
  });

  it('reports the faults of the head, of the steps and of the names together', () => {
    const text = `scenario: mine
seed: often
actors: { alice: { user: alice, online: sometimes }, bob: { user: bob } }
cases: [{ stays: true }]
steps:
  - { wait: 2, label: paused }
  - { do: alice.dail }
  - { do: carol.end }
  - { expect: {}, since: pausd }
  - { expect: {}, since: paused, when: $case.stay }
`;
    expect(faultsOf(text).map((fault) => fault.slice(0, 40))).toEqual([
      '2:1: seed must be a number; found "often',
      '3:33: actors.alice.online must be true o',
      '6:7: wait must be a span of time like 50',
      '7:7: there is no action dail (did you me',
      '8:7: there is no actor carol: known are ',
      '9:7: no step before this one has the lab',
      '10:7: no case has a value stay (did you ',
    ]);
  });

  it('reports wrong steps also when the actors cannot be read, and no actor of them', () => {
    expect(faultsOf('scenario: mine\nactors: alice\nsteps:\n  - { do: alice.dial }\n  - { wait: 2 }\n')).toEqual([
      expect.stringMatching(/^2:1: actors must be a map; found "alice"$/),
      expect.stringMatching(/^5:5: wait must be|^5:7: wait must be/),
    ]);
  });

  it('reports no undefined name after a fragment that cannot be read, since it may define the name', () => {
    const text = `${HEAD}steps:\n  - { expect: {}, since: early }\n  - { use: none.yaml }\n  - { expect: {}, since: late }\n`;
    expect(faultsOf(text).map((fault) => fault.slice(0, 30))).toEqual([
      '5:7: there is no fragment none',
      '4:7: no step before this one h',
    ]);
  });

  it.each([
    ['two documents', 'a: 1\n---\nb: 2\n', /^2:1: the file has a second document here/],
    ['a tab', 'actors:\n\talice: 1\n', /a tab is here: lines are indented with spaces/],
    ['two colons', 'about: Alice: the caller\n', /a second colon is in this line: put a text with a colon in quotes/],
    ['a line without a colon', 'scenario: mine\nactors\nsteps: []\n', /has no colon, or is not indented/],
    ['a merge', `${HEAD}steps: []\n<<: { seed: 2 }\n`, /^4:1: << is a merge, which is not followed: write it out$/],
    [
      'a world of no form',
      `${HEAD}worlds: { real: 3 }\nsteps: []\n`,
      /^3:11: worlds\.real must be a map with timers, or a/,
    ],
    ['a wrong type', `${HEAD}tags: { a: b }\nsteps: []\n`, /^3:1: tags must be a list; found a map$/],
  ])('is refused without a word of a library: %s', (_, text, message) => {
    const faults = faultsOf(text);
    expect(faults[0]).toMatch(message);
    expect(faults.join('\n')).not.toMatch(/parseAll|YAML\.|Object|Array|\bstring\b|mappings|collection|scalar/);
  });

  it('reports every fault at once, and duplicate keys', () => {
    expect(faultsOf(`${HEAD}steps:\n  - { wait: 2 }\n  - { do: carol.dial }\n`)).toHaveLength(2);
    expect(faultsOf(`${HEAD}scenario: other\nsteps: []\n`)[0]).toBe(
      '3:1: the key scenario is here twice: line 1 has it first',
    );
  });

  it.each([
    ['an empty file', ''],
    ['a text that is no scenario', 'root:x:0:0\n'],
    ['a list', '- scenario: mine\n'],
  ])('is refused when it is %s, with the form of a scenario', (_, text) => {
    expect(faultsOf(text)).toEqual([
      expect.stringMatching(/^1:1: a map is expected here, of scenario, .*actors, .*steps/),
    ]);
  });

  it('names the place of a broken line once', () => {
    expect(faultsOf('a: [b\n')).toEqual([expect.not.stringContaining('at line')]);
  });

  it('claims only requirements that a trace can show; ids of another system are tags', () => {
    const why = 'no trace can show JIRA-12: it is no requirement of the library. Other ids go into tags';
    expect(faultsOf(`${HEAD}spec: [DC-08, JIRA-12]\nsteps: []\n`)).toEqual([`3:15: ${why}`]);
    expect(faultsOf(`${HEAD}cases: [{ spec: [JIRA-12] }]\nsteps: []\n`)).toEqual([`3:18: ${why}`]);
    expect(faultsOf(`${HEAD}tags: [JIRA-12]\nspec: [ERR-1800101]\nsteps: []\n`)).toEqual([]);
  });

  it('is refused with a parameter of an action that takes none', () => {
    expect(faultsOf(`${HEAD}steps:\n  - { do: alice.hold, with: { force: true } }\n`)).toEqual([
      '4:31: hold takes no parameters: remove force',
    ]);
  });

  it('is refused when two actors are one user, which devices are for (B81)', () => {
    const actors = 'actors: { alice: { user: alice }, bob: { user: alice } }';
    expect(faultsOf(`scenario: mine\n${actors}\nsteps: []\n`)).toEqual([
      '2:42: alice is the user alice too: two devices of a user are devices: [phone, laptop]',
    ]);
  });

  it('is refused without its name, its actors or its steps', () => {
    expect(faultsOf('about: nothing\n').map((line) => line.replace(/^\d+:\d+: /, ''))).toEqual([
      'scenario is missing',
      'actors is missing',
      'steps is missing',
    ]);
  });

  it.each([
    ['a seed', 'seed: 1.5', /^1:1: seed must be a whole number; found 1\.5$/],
    [
      'a world',
      'worlds: { reel: no }',
      /^1:11: worlds\.reel is not known here \(did you mean real\?\): known are virtual, real, scaled, browser$/,
    ],
    ['a timer of no time', 'timers: { ring: 0s }', /^1:11: timers\.ring must be longer than 0; found "0s"$/],
    ['a timer of no time in a world', 'worlds: { real: { timers: { connection: 0.0ms } } }', /^1:\d+: worlds\.real/],
    ['no node', 'nodes: 0', /^1:1: nodes must be .*; found 0$/],
    ['more nodes than there are', 'nodes: 10', /^1:1: nodes must be .*; found 10$/],
    ['a list of cases', 'cases: []', /^1:1: cases must not be empty$/],
  ])('is refused with the correct form: %s', (_, line, message) => {
    expect(faultsOf(`${line}\n${HEAD}steps: []\n`)).toEqual([expect.stringMatching(message)]);
  });

  it('names nodes in faults of nodes and of their bus, as many as its head says', () => {
    const faults = (...lines: readonly string[]) =>
      faultsOf(`nodes: 2\n${HEAD}steps:\n${lines.map((line) => `  - { fault: { ${line} } }\n`).join('')}`);
    expect(
      faults(
        'kind: node, of: node-2, how: pause',
        'kind: bus, how: delay, by: 1s, from: node-1, to: node-2',
        'kind: state, how: wipe',
        'kind: node, of: $case.of, how: crash',
      ),
    ).toEqual([expect.stringMatching(/^8:7: no case has a value of/)]);
    expect(faults('kind: node, of: node-3, how: pause', 'kind: bus, how: drop, to: alice')).toEqual([
      '5:28: there is no node node-3: they are node-1, node-2',
      '6:38: there is no node alice: they are node-1, node-2',
    ]);
    expect(faults('kind: node, of: node-1, how: clock-skew')[0]).toMatch(/must have by where how is clock-skew or/);
  });

  it('is refused when two have the same name', () => {
    expect(
      faultsOf('scenario: mine\nactors:\n  server: { user: a }\n  bob: { user: b, devices: [x, x] }\nsteps: []\n'),
    ).toEqual(['3:3: server is the name of the exchange: an actor needs another name', '4:19: bob has two devices x']);
  });

  it('may refer to the names of every case, and of a fragment', () => {
    const fragment = 'fragment: f\nsteps:\n  - { wait: 1s, label: begun }\n';
    const text = `${HEAD}cases: [{ video: true }, { audio: false }]\nsteps:
  - { use: f.yaml }\n  - { expect: {}, since: begun, when: not $case.audio }\n  - { wait: $timers.ring, when: $case.video }\n`;
    expect(faultsOf(text, () => ({ file: 'f.yaml', text: fragment }))).toEqual([]);
  });

  describe('a scenario file with fragments', () => {
    const chained = (path: string) => {
      const nth = Number(/\d+/.exec(path)?.[0]);
      return {
        file: path,
        text: `fragment: f\nsteps:\n  - { use: f${nth + 1}.yaml }\n  - { use: f${nth + 1}.yaml }\n`,
      };
    };

    it('reports one that is too deep, and one that includes itself; each line once', () => {
      const text = `${HEAD}steps:\n  - { use: f1.yaml }\n`;
      const chain = Array.from({ length: 9 }, (_, at) => `f${at + 1}.yaml`).join(' > ');
      const tooDeep = `fragments are nested 8 deep at most; f9.yaml is deeper: mine.yaml > ${chain}`;
      expect(faultsOf(text, chained)).toEqual([`4:7: f8.yaml:3:7: ${tooDeep}`, `4:7: f8.yaml:4:7: ${tooDeep}`]);
      const itself = () => ({ file: 'f1.yaml', text: 'fragment: f\nsteps:\n  - { use: f1.yaml }\n' });
      expect(faultsOf(text, itself)).toEqual(['4:7: f1.yaml:3:7: f1.yaml uses itself: mine.yaml > f1.yaml > f1.yaml']);
    });
  });

  it('cannot grow by aliases, nor be larger than its limit', () => {
    expect(faultsOf(`${HEAD}steps: [&a [x], *a]\n`)).toEqual([
      '3:17: *a is an alias, which is not followed: write it out',
    ]);
    expect(faultsOf(`${HEAD}# ${'x'.repeat(300_000)}\nsteps: []\n`)[0]).toContain('too long');
  });

  it('cannot have a map or a list as a key, which would take exponential time to read', () => {
    const refused = 'a key is a text, not a map or a list';
    expect(faultsOf(`${HEAD}steps: []\n? [a]\n: b\n`)).toEqual([`4:3: ${refused}`]);
    expect(faultsOf(`${'? '.repeat(400)}x`)).toEqual([`1:3: ${refused}`]);
    expect(faultsOf(`%YAML 1.1\n---\n!!binary eA==: b\n`)).toEqual([`3:10: ${refused}`]);
  });

  it('refuses maps and lists that are nested too deeply, in one line', () => {
    const faults = faultsOf(`steps: ${'['.repeat(100_000)}`);
    expect(faults.filter((fault) => fault.includes('the maps and lists are nested too deeply'))).toHaveLength(1);
    expect(faults.join('\n')).not.toContain('call stack');
    expect(faultsOf('- '.repeat(5_000))).toEqual([
      expect.stringMatching(/^1:\d+: the maps and lists are nested too deeply$/),
    ]);
  });

  it('is refused in one line for each fault, also where a key has several lines', () => {
    const faults = faultsOf(`${HEAD}steps: []\n te }]\n\nters:\n te }]\n\n ters`);
    expect(faults.length).toBeGreaterThan(0);
    for (const fault of faults) expect(fault).not.toContain('\n');
    expect(faultsOf('"a\\nb": 1\n"a\\nb": 2\n').join()).toContain(String.raw`the key a\nb is here twice`);
  });

  it('keeps a key that has a meaning in JavaScript', () => {
    const { steps } = readScenario(
      'mine.yaml',
      `${HEAD}steps:\n  - { do: alice.dial, with: { callee: bob, items: { __proto__: polluted } } }\n`,
    );
    expect(steps).toHaveLength(1);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });
});

describe('fragments', () => {
  const files: Record<string, string> = {
    'ring.yaml': 'fragment: ring\nsteps:\n  - { do: alice.dial, with: { callee: bob } }\n  - { use: deeper.yaml }\n',
    'deeper.yaml': 'fragment: deeper\nsteps:\n  - { wait: 1s }\n',
    'loop.yaml': 'fragment: loop\nsteps:\n  - { use: loop.yaml }\n',
    'broken.yaml': 'fragment: broken\nsteps:\n  - { wait: long }\n',
  };
  const open: OpenFragment = (path) => {
    const text = files[path];
    return text === undefined ? undefined : { file: path, text };
  };

  it('are placed where they are used, with places of their own file', () => {
    const { steps } = readScenario('mine.yaml', `${HEAD}steps:\n  - { use: ring.yaml }\n  - { do: alice.end }\n`, open);
    expect(steps.map(({ verb, place }) => [verb, place.file])).toEqual([
      ['do', 'ring.yaml'],
      ['wait', 'deeper.yaml'],
      ['do', 'mine.yaml'],
    ]);
  });

  it('that are missing, include themselves or are invalid are reported at their place', () => {
    expect(faultsOf(`${HEAD}steps:\n  - { use: none.yaml }\n`, open)).toEqual([
      '4:7: there is no fragment none.yaml: its path begins at the folder of the scenario file',
    ]);
    expect(faultsOf(`${HEAD}steps:\n  - { use: loop.yaml }\n`, open)).toEqual([
      '4:7: loop.yaml:3:7: loop.yaml uses itself: mine.yaml > loop.yaml > loop.yaml',
    ]);
    expect(faultsOf(`${HEAD}steps:\n  - { use: broken.yaml }\n`, open)[0]).toContain(
      '4:7: broken.yaml:3:7: wait must be a span',
    );
    const outside = () => ({ refused: '../f.yaml is outside of the project' });
    expect(faultsOf(`${HEAD}steps:\n  - { use: ../f.yaml }\n`, outside)).toEqual([
      '4:7: ../f.yaml is outside of the project',
    ]);
  });

  it('are reported at their use first, also for an actor or a name that the scenario does not have', () => {
    const fragment = (step: string) => () => ({ file: 'f.yaml', text: `fragment: f\nsteps:\n  - ${step}\n` });
    const use = `${HEAD}steps:\n  - { use: f.yaml }\n`;
    expect(faultsOf(use, fragment('{ do: carol.end }'))).toEqual([
      expect.stringMatching(/^4:7: f\.yaml:3:7: there is no actor carol/),
    ]);
    expect(faultsOf(use, fragment('{ wait: $case.span }'))).toEqual([
      expect.stringMatching(/^4:7: f\.yaml:3:7: no case has a value span/),
    ]);
  });

  it('have no moment: they accept neither a label nor a condition', () => {
    const faultsOfUse = (more: string) => faultsOf(`${HEAD}steps:\n  - { use: deeper.yaml, ${more} }\n`, open);
    expect(faultsOfUse('when: $case.deep')).toEqual(['4:25: when is not known here: only use is known']);
    expect(faultsOfUse('label: deep')).toEqual(['4:25: label is not known here: only use is known']);
  });
});

describe('words and spans', () => {
  it('a span is a number with a unit, and is printed as one', () => {
    expect(['500ms', '2s', '1.5m', '1h'].map(spanOf)).toEqual([500, 2_000, 90_000, 3_600_000]);
    expect([2, '2', 's', '-1s', '1e3ms', undefined].map(spanOf)).toEqual(Array(6).fill(undefined));
    expect([340, 2_500, 60_000].map(spanText)).toEqual(['340ms', '2.5s', '60s']);
  });

  it('a similar word is suggested, a different one is not', () => {
    expect(nearWord('expct', ['expect', 'see'])).toBe('expect');
    expect(nearWord('banana', ['expect', 'see'])).toBeUndefined();
  });
});
