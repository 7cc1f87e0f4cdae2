/** Scenarios written twice: in TypeScript and, step for step, in YAML. */
import type { BuiltScenario } from '../../../../sim/scenario/builder/built-scenario.ts';
import { ms, scenario } from '../../../../sim/scenario/builder/scenario.ts';

interface Twin {
  readonly name: string;
  readonly built: BuiltScenario;
  readonly yaml: string;
}

const ACTORS = { alice: { user: 'alice' }, bob: { user: 'bob' } } as const;
const YAML_ACTORS = 'actors: { alice: { user: alice }, bob: { user: bob } }';

const PAUSES = [3_000, 1_000, 2_500];

export const TWINS: readonly Twin[] = [
  {
    name: 'a call that is cancelled',
    built: scenario(
      'twin/cancel',
      { about: 'The caller gives up.', spec: ['DC-08', 'DC-18'], tags: ['short'], seed: 7, actors: ACTORS },
      ({ alice }, { expect, wait, see }) => {
        alice.dial({ callee: 'bob', video: true }, { as: 'call' });
        expect({ 'bob.call.state': 'ringing', 'alice.call.state': 'dialing' }, { within: '1s' });
        wait('3s');
        alice.cancel();
        expect({ 'alice.call.result': 'canceled', 'bob.sound': 'none' }, { within: '1s' });
        see({ from: 'alice', cmd: 'cancel' }, { times: 1 });
      },
    ),
    yaml: `
scenario: twin/cancel
about: The caller gives up.
spec: [DC-08, DC-18]
tags: [short]
seed: 7
${YAML_ACTORS}
steps:
  - { do: alice.dial, with: { callee: bob, video: true }, as: call }
  - { expect: { bob.call.state: ringing, alice.call.state: dialing }, within: 1s }
  - { wait: 3s }
  - { do: alice.cancel }
  - { expect: { alice.call.result: canceled, bob.sound: none }, within: 1s }
  - { see: { from: alice, cmd: cancel }, times: 1 }
`,
  },
  {
    name: 'offers that are sent again: computed bounds',
    built: scenario(
      'twin/offers',
      {
        actors: ACTORS,
        timers: { connection: '60s' },
        cases: [1, 3].map((lost) => ({
          lost,
          sends: Array.from({ length: lost + 1 }, (_, sent) => ms(sent * 2_500 + ((sent * (sent - 1)) / 2) * 1_000)),
        })),
      },
      ({ alice, bob }, { fault, expect, see, $case }) => {
        fault({ kind: 'drop', from: 'alice', cmd: 'offer' }, { first: $case.lost });
        alice.dial({ callee: 'bob' });
        expect({ 'bob.call.state': 'ringing' }, { within: '1s' });
        bob.accept();
        const accepted = expect({ 'alice.call.state': 'established' }, { within: '1s', label: 'accepted' });
        see({ from: 'alice', cmd: 'offer' }, { at: $case.sends, since: accepted });
      },
    ),
    yaml: `
scenario: twin/offers
timers: { connection: 60s }
cases:
  - { lost: 1, sends: [0ms, 2.5s] }
  - { lost: 3, sends: [0ms, 2.5s, 6s, 10.5s] }
${YAML_ACTORS}
steps:
  - { fault: { kind: drop, from: alice, cmd: offer }, first: $case.lost }
  - { do: alice.dial, with: { callee: bob } }
  - { expect: { bob.call.state: ringing }, within: 1s }
  - { do: bob.accept }
  - { expect: { alice.call.state: established }, within: 1s, label: accepted }
  - { see: { from: alice, cmd: offer }, at: $case.sends, since: accepted }
`,
  },
  {
    name: 'a channel that comes and goes: a loop',
    built: scenario('twin/flapping', { actors: ACTORS }, ({ alice, bob }, { fault, wait, expect }) => {
      alice.dial({ callee: 'bob' });
      bob.accept();
      for (const pause of PAUSES) {
        fault({ kind: 'ws', actor: 'alice', how: 'reset' });
        wait(ms(pause));
      }
      expect({ 'alice.ws': 'open', 'server.devices': 2 }, { within: '40s' });
    }),
    yaml: `
scenario: twin/flapping
${YAML_ACTORS}
steps:
  - { do: alice.dial, with: { callee: bob } }
  - { do: bob.accept }
  - { fault: { kind: ws, actor: alice, how: reset } }
  - { wait: 3s }
  - { fault: { kind: ws, actor: alice, how: reset } }
  - { wait: 1s }
  - { fault: { kind: ws, actor: alice, how: reset } }
  - { wait: 2.5s }
  - { expect: { alice.ws: open, server.devices: 2 }, within: 40s }
`,
  },
  {
    name: 'devices',
    built: scenario(
      'twin/devices',
      { actors: { alice: { user: 'alice' }, bob: { user: 'bob', devices: ['phone', 'laptop'] } } },
      ({ alice, bob }, { expect, see }) => {
        alice.dial({ callee: 'bob' });
        expect({ 'bob.phone.call.state': 'ringing', 'bob.laptop.call.state': 'ringing' }, { within: '1s' });
        bob.phone.accept();
        expect({ 'bob.laptop.call.outcome': 'other_device_accepted' }, { within: '5s' });
        see({ to: 'bob.phone', cmd: 'accept_ack' }, { times: 1 });
        see({ to: 'bob', cmd: 'other_device_accepted' });
      },
    ),
    yaml: `
scenario: twin/devices
actors: { alice: { user: alice }, bob: { user: bob, devices: [phone, laptop] } }
steps:
  - { do: alice.dial, with: { callee: bob } }
  - { expect: { bob.phone.call.state: ringing, bob.laptop.call.state: ringing }, within: 1s }
  - { do: bob.phone.accept }
  - { expect: { bob.laptop.call.outcome: other_device_accepted }, within: 5s }
  - { see: { to: bob.phone, cmd: accept_ack }, times: 1 }
  - { see: { to: bob, cmd: other_device_accepted } }
`,
  },
  {
    name: 'cases with conditions',
    built: scenario(
      'twin/media-cut',
      {
        actors: ACTORS,
        cases: [
          { cut: '8s', stays: true, end: 'connected' },
          { cut: '35s', stays: false, end: 'connection_lost' },
        ],
      },
      ({ alice, bob }, { fault, expect, $case }) => {
        alice.dial({ callee: 'bob' });
        bob.accept();
        const cut = fault({ kind: 'media', actor: 'bob' }, { until: $case.cut, label: 'cut' });
        expect({ 'alice.call.outcome': $case.end }, { within: '40s', since: cut, when: $case.stays });
        expect({ 'alice.call.outcome': $case.end }, { within: '50s', since: cut, when: `not ${$case.stays}` });
        expect({ 'bob.call.reconnected': 1 }, { for: '2s', when: `${$case.end} == connected` });
      },
    ),
    yaml: `
scenario: twin/media-cut
cases:
  - { cut: 8s, stays: true, end: connected }
  - { cut: 35s, stays: false, end: connection_lost }
${YAML_ACTORS}
steps:
  - { do: alice.dial, with: { callee: bob } }
  - { do: bob.accept }
  - { fault: { kind: media, actor: bob }, until: $case.cut, label: cut }
  - { expect: { alice.call.outcome: $case.end }, within: 40s, since: cut, when: $case.stays }
  - { expect: { alice.call.outcome: $case.end }, within: 50s, since: cut, when: not $case.stays }
  - { expect: { bob.call.reconnected: 1 }, for: 2s, when: $case.end == connected }
`,
  },
  {
    name: 'what must never be, and a fault that is mended',
    built: scenario('twin/never', { actors: ACTORS }, ({ alice }, { never, fault, wait, clear }) => {
      never({ from: 'alice', cmd: 'offer' });
      never({ expect: { 'bob.call.state': 'connected' } });
      const slow = fault({ kind: 'delay', from: 'alice', cmd: 'dial', by: '40ms' }, { as: 'slow' });
      alice.dial({ callee: 'bob' });
      wait('1s');
      clear(slow, { label: 'mended' });
    }),
    yaml: `
scenario: twin/never
${YAML_ACTORS}
steps:
  - { never: { from: alice, cmd: offer } }
  - { never: { expect: { bob.call.state: connected } } }
  - { fault: { kind: delay, from: alice, cmd: dial, by: 40ms }, as: slow }
  - { do: alice.dial, with: { callee: bob } }
  - { wait: 1s }
  - { clear: slow, label: mended }
`,
  },
  {
    name: 'a request with the id of a call',
    built: scenario('twin/missed', { actors: ACTORS }, ({ alice, bob }, { fault, see, wait }) => {
      const call = alice.dial({ callee: 'bob' }, { as: 'call' });
      fault({ kind: 'ws', actor: 'bob', how: 'vanish' }, { until: '4s' });
      wait('5s');
      bob.accept();
      see({ from: 'bob', http: `GET /v1/direct_calls/${call.id}`, with: { call_id: call.id } }, { within: '10s' });
      see({ ws: 'open', from: 'bob' }, { times: 1 });
    }),
    yaml: `
scenario: twin/missed
${YAML_ACTORS}
steps:
  - { do: alice.dial, with: { callee: bob }, as: call }
  - { fault: { kind: ws, actor: bob, how: vanish }, until: 4s }
  - { wait: 5s }
  - { do: bob.accept }
  - { see: { from: bob, http: GET /v1/direct_calls/$call.id, with: { call_id: $call.id } }, within: 10s }
  - { see: { ws: open, from: bob }, times: 1 }
`,
  },
  {
    name: 'values: comparisons, patterns, anything, maps and lists',
    built: scenario('twin/values', { actors: ACTORS }, ({ alice, bob }, { expect }) => {
      alice.dial({ callee: 'bob', items: { topic: 'tea' } });
      bob.accept({ audioEnabled: false });
      expect({
        'alice.call.duration': '>= 3000',
        'alice.call.endedBy': '/^bob$/',
        'alice.call.id': 'any',
        'bob.call.items': { topic: 'tea' },
        'bob.errors': [],
        'bob.told.onEnded': 1,
        'server.results': ['completed'],
        'alice.call.onHold': false,
      });
    }),
    yaml: `
scenario: twin/values
${YAML_ACTORS}
steps:
  - { do: alice.dial, with: { callee: bob, items: { topic: tea } } }
  - { do: bob.accept, with: { audioEnabled: false } }
  - expect:
      alice.call.duration: '>= 3000'
      alice.call.endedBy: /^bob$/
      alice.call.id: any
      bob.call.items: { topic: tea }
      bob.errors: []
      bob.told.onEnded: 1
      server.results: [completed]
      alice.call.onHold: false
`,
  },
  {
    name: 'a refusal, and somebody who is not signed in',
    built: scenario(
      'twin/refused',
      { actors: { alice: { user: 'alice' }, bob: { user: 'bob', online: false } } },
      ({ alice, bob }) => {
        alice.dial({ callee: 'alice' }, { fails: 1_800_101 });
        bob.signIn({ label: 'there' });
        bob.signOut();
      },
    ),
    yaml: `
scenario: twin/refused
actors: { alice: { user: alice }, bob: { user: bob, online: false } }
steps:
  - { do: alice.dial, with: { callee: alice }, fails: 1800101 }
  - { do: bob.signIn, label: there }
  - { do: bob.signOut }
`,
  },
  {
    name: 'windows, intervals, and a timer of the scenario',
    built: scenario(
      'twin/ring',
      { actors: ACTORS, cases: [{ ring: '60s' }, { ring: '90s' }], timers: { ring: '$case.ring' } },
      ({ alice }, { see, expect, $timers }) => {
        alice.dial({ callee: 'bob' });
        const acked = see({ to: 'alice', cmd: 'dial_ack' }, { within: '1s', label: 'acked' });
        see({ from: 'alice', cmd: 'alive' }, { every: '30s', times: 2, since: acked });
        expect({ 'bob.call.result': 'no_answer' }, { between: ['0s', '30s'] });
        expect({ 'alice.call.result': 'no_answer' }, { at: $timers.ring, since: acked });
      },
    ),
    yaml: `
scenario: twin/ring
cases: [{ ring: 60s }, { ring: 90s }]
timers: { ring: $case.ring }
${YAML_ACTORS}
steps:
  - { do: alice.dial, with: { callee: bob } }
  - { see: { to: alice, cmd: dial_ack }, within: 1s, label: acked }
  - { see: { from: alice, cmd: alive }, every: 30s, times: 2, since: acked }
  - { expect: { bob.call.result: no_answer }, between: [0s, 30s] }
  - { expect: { alice.call.result: no_answer }, at: $timers.ring, since: acked }
`,
  },
  {
    name: 'faults of every reach',
    built: scenario('twin/faults', { actors: ACTORS, cases: [{ how: 'sdp' }] }, (_, { fault, $case }) => {
      fault({ kind: 'corrupt', to: 'bob', cmd: 'offer', how: $case.how }, { nth: 2 });
      fault({ kind: 'http', actor: 'alice', how: 'stall' }, { until: '3s' });
      fault({ kind: 'network', actor: 'bob' });
      fault({ kind: 'quality', between: ['alice', 'bob'], loss: 0.1, rtt: '200ms' });
      fault({ kind: 'device', actor: 'bob', what: 'video', error: 'NotFoundError' });
      fault({ kind: 'server', how: 'forget-calls' });
      fault({ kind: 'page', actor: 'alice', state: 'hidden' });
      fault({ kind: 'clock', by: '1h', back: true });
    }),
    yaml: `
scenario: twin/faults
cases: [{ how: sdp }]
${YAML_ACTORS}
steps:
  - { fault: { kind: corrupt, to: bob, cmd: offer, how: $case.how }, nth: 2 }
  - { fault: { kind: http, actor: alice, how: stall }, until: 3s }
  - { fault: { kind: network, actor: bob } }
  - { fault: { kind: quality, between: [alice, bob], loss: 0.1, rtt: 200ms } }
  - { fault: { kind: device, actor: bob, what: video, error: NotFoundError } }
  - { fault: { kind: server, how: forget-calls } }
  - { fault: { kind: page, actor: alice, state: hidden } }
  - { fault: { kind: clock, by: 1h, back: true } }
`,
  },
];
