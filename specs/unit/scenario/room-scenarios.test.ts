import { describe, expect, it } from 'vitest';
import { InvalidFile } from '../../../sim/format/source.ts';
import { readScenario } from '../../../sim/scenario/format/read-scenario.ts';
import { runScenario } from '../../../sim/scenario/run/run-scenario.ts';
import { virtualWorld } from '../../../sim/scenario/virtual/virtual-world.ts';

const HEAD = `scenario: mine
actors: { alice: { user: alice }, bob: { user: bob, devices: [phone, laptop] } }
steps:
`;
const ENTERED = `
  - { do: alice.createRoom, as: room }
  - { do: alice.enter }
  - { do: bob.phone.enter, with: { room: $room.id } }
  - { expect: { alice.room.heard: [bob.phone], alice.room.seen: [bob.phone], bob.phone.room.heard: [alice] }, within: 4s }
`;

/** Returns why a scenario failed. Returns 'passed' when it did not fail. */
async function verdict(steps: string, head = HEAD): Promise<string> {
  let now = 0;
  const [result] = await runScenario(readScenario('mine.yaml', head + steps.replace(/^\n/, '')), {
    name: 'virtual',
    world: virtualWorld,
    stopwatch: () => (now += 1),
  });
  return result?.failure?.message ?? result?.state ?? 'no result';
}

/** The faults of a file, in words. */
function faultsOf(text: string): string {
  try {
    readScenario('mine.yaml', text);
    return '';
  } catch (error) {
    if (!(error instanceof InvalidFile)) throw error;
    return error.message;
  }
}

describe('a scenario file with rooms', () => {
  it('is checked for the actions, the values and the places of rooms', () => {
    const faults = (step: string) => faultsOf(`${HEAD}  - ${step}\n`);
    expect(faults('{ do: alice.createRoom, with: { type: huge } }')).toMatch(/with\.type|type/);
    expect(faults('{ do: alice.leave }')).toMatch(/there is no action leave/);
    expect(faults('{ do: alice.invite }')).not.toBe('');
    expect(faults('{ expect: { alice.room.hears: [] } }')).toMatch(/alice has no value room\.hears/);
    expect(faults('{ expect: { alice.room.session: inside } }')).toMatch(/alice\.room\.session is never inside/);
    expect(faults('{ see: { from: alice, cmd: room_entre } }')).toMatch(/there is no message room_entre/);
    expect(faults('{ fault: { kind: media, actor: sfu } }')).toBe('');
    expect(faults('{ fault: { kind: quality, between: [alice, sfu], loss: 1 } }')).toBe('');
    expect(faults('{ fault: { kind: ws, actor: sfu, how: reset } }')).toMatch(/there is no actor sfu/);
    expect(faultsOf('scenario: mine\nactors: { sfu: { user: a } }\nsteps: []\n')).toMatch(/media server of rooms/);
  });
});

describe('the values of a room', () => {
  it('RM-14 RM-16 ENT-05: are those of the library and of the exchange, from the entry to the exit', async () => {
    const steps = `${ENTERED}
  - { expect: { alice.room.participants: [alice, bob], alice.room.remotes: [bob], alice.room.connected: 2, alice.room.me: connected } }
  - { expect: { server.rooms: 1, server.participants: [alice, bob], server.connected: 2, server.endpoints: 4 } }
  - { expect: { alice.room.states: { bob: connected }, alice.room.session: entered, alice.endpoint: connected, alice.pcs: 2 } }
  - { do: bob.laptop.enter, with: { room: $room.id, audio: false } }
  - { expect: { alice.room.remoteAudio: { bob: true, bob 2: false }, alice.room.participants: [alice, bob, bob] }, within: 1s }
  - { do: bob.phone.exit }
  - { do: bob.laptop.exit }
  - { expect: { alice.told.remoteParticipantEntered: 2, alice.told.remoteParticipantExited: 2, bob.phone.room.me: none, alice.room.heard: [] }, within: 1s }
`.replace(/\n\n/, '\n');
    expect(await verdict(steps)).toBe('passed');
    expect(await verdict(`${ENTERED}  - { expect: { alice.room.heard: [alice] } }\n`)).toBe(
      'not true: alice.room.heard is ["bob.phone"], not ["alice"]',
    );
  });

  it('have what elements show: an audio element has no picture, and no element has no sound', async () => {
    const shown = (element: string, heard: string, seen: string) =>
      verdict(
        `${ENTERED}  - { do: alice.view, with: { user: bob, element: ${element} } }\n  - { expect: { alice.room.heard: ${heard}, alice.room.seen: ${seen} }, within: 3s }\n`,
      );
    expect(await shown('audio', '[bob.phone]', '[]')).toBe('passed');
    expect(await shown('none', '[]', '[]')).toBe('passed');
    expect(await shown('none', '[bob.phone]', '[]')).toMatch(/heard is \[\]/);
    expect(await verdict(`${ENTERED}  - { do: alice.view, with: { user: nemo, element: none } }\n`)).toBe(
      'alice.view had no effect: nemo is not in the room',
    );
  });

  it('name the room of an action that has none, and the current call or room of a media control', async () => {
    expect(await verdict('  - { do: alice.exit }\n')).toBe('alice.exit failed: this user has no room');
    expect(await verdict('  - { do: alice.mute }\n')).toBe('alice.mute failed: alice has no call');
    expect(await verdict('  - { do: alice.acceptInvitation }\n')).toMatch(/has no invitation/);
    expect(await verdict('  - { do: alice.nextRooms }\n')).toMatch(/has listed no rooms/);
    expect(await verdict(`${ENTERED}  - { do: alice.unmute }\n`)).toBe(
      'alice.unmute had no effect: localAudio stays true, in open',
    );
    const both = `${ENTERED}  - { do: bob.phone.dial, with: { callee: alice } }
  - { expect: { alice.call.state: ringing }, within: 1s }
  - { do: alice.accept }
  - { expect: { alice.call.state: connected }, within: 5s }
  - { do: alice.mute }
  - { expect: { alice.call.localAudio: false, alice.room.localAudio: true } }
  - { do: alice.former }
  - { do: alice.mute }
  - { expect: { alice.room.localAudio: false } }
`;
    expect(await verdict(both)).toBe('passed');
  });
});

describe('a step that does not wait', () => {
  it('lets the next step cross its answer', async () => {
    const crossing = (waits: string) =>
      verdict(`  - { do: alice.createRoom }
  - { do: alice.enter${waits} }
  - { expect: { alice.room.session: entering } }
`);
    expect(await crossing(', waits: false')).toBe('passed');
    expect(await crossing('')).toBe('not true: alice.room.session is entered, not entering');
  });
});

describe('the media server in faults', () => {
  it('loses the media of all devices, or that of one path', async () => {
    const cut = (fault: string, alice: string) =>
      verdict(
        `${ENTERED}  - { do: bob.laptop.enter, with: { room: $room.id } }
  - { expect: { alice.room.heard: [bob.laptop, bob.phone] }, within: 4s }
  - { fault: ${fault} }
  - { expect: { alice.room.heard: ${alice} }, within: 2s }
`,
      );
    expect(await cut('{ kind: media, actor: sfu }', '[]')).toBe('passed');
    expect(await cut('{ kind: quality, between: [bob.phone, sfu], loss: 1 }', '[bob.laptop]')).toBe('passed');
  });
});
