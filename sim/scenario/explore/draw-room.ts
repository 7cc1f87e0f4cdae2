/** The generation of a story from a seed: one room, the actions of two to four users, and the faults during it. */
import { isOverAtOnce } from '../format/actions.ts';
import type { Span } from '../../format/duration.ts';
import { ROOM_TYPES } from '../../../src/protocol/room-entities.ts';
import { nodeNames, type Scenario, type Step } from '../format/tree.ts';
import { MEDIA_SERVER } from '../../faults/vocabulary.ts';
import { drawNodeFault } from './draw-node-fault.ts';
import { type Draw, drawFrom, type Drawn, type DrawnFault, PLACE } from './draw.ts';

const USERS = ['alice', 'bob', 'carol', 'dave'] as const;

/** Waits that end before, at and after the times of a room: keep-alives, reconnections, silence. */
const WAITS: readonly Span[] = ['1ms', '2ms', '4ms', '20ms', '100ms', '1s', '5s', '6s', '11s', '41s', '46s'];
const LASTING: readonly Span[] = ['20ms', '500ms', '3s', '9s', '20s', '44s', '70s'];
const MEDIA = ['mute', 'unmute', 'stopVideo', 'startVideo', 'startScreenShare', 'stopScreenShare'];
const MESSAGES = [
  'room_enter',
  'room_enter_ack',
  'room_exit',
  'room_alive_ack',
  'room_audio',
  'room_delete_ack',
  'room_get_ack',
  'endpoint_create',
  'endpoint_create_ack',
  'endpoint_attach',
  'endpoint_connected',
  'endpoint_release',
  'participant_entered',
  'participant_connected',
  'participant_exited',
  'participant_disconnected',
  'invitation_sent',
  'invitation_accept',
];
const FEWEST = 4;
const MOST = 16;

/** The share of faults of nodes among the faults of an exchange with several nodes. */
const OF_NODES = 0.6;

/**
 * Returns the story of this seed. The same seed gives the same story.
 *
 * @param nodes - the nodes of the exchange. With several, some of the faults are theirs. Default: 1.
 */
export function drawRoom(seed: number, nodes = 1): Scenario {
  const draw = drawFrom(seed);
  const { random, pick, chance } = draw;
  const users = USERS.slice(0, 2 + Math.floor(random() * 3));
  const hasPhone = chance(0.3);
  const devices = users.flatMap((user) => (user === 'bob' && hasPhone ? ['bob.phone', 'bob.laptop'] : [user]));
  const steps: Step[] = [];
  const add = (step: Drawn) => void steps.push({ ...step, place: PLACE });
  // A drawn action may happen at any moment, also when it has no effect. Half of them cross the following step.
  const act = (device: string, action: string, values?: Record<string, unknown>) =>
    add({
      verb: 'do',
      do: `${device}.${action}`,
      idle: true,
      ...(values ? { with: values } : {}),
      ...(chance(0.5) && !isOverAtOnce(action) ? { waits: false } : {}),
    });
  const names = nodeNames({ nodes });
  const addFault = () => {
    const fault =
      nodes > 1 && chance(OF_NODES) ? drawNodeFault(draw, names, LASTING) : { fault: drawRoomFault(draw, devices) };
    add({ verb: 'fault', ...fault, until: pick(LASTING) });
  };
  const enter = (device: string) =>
    act(device, 'enter', { room: '$room.id', ...(chance(0.2) ? { kickSiblings: true } : {}) });

  add({ verb: 'do', do: 'alice.createRoom', with: { type: pick(ROOM_TYPES) }, as: 'room' });
  if (chance(0.3)) addFault();
  for (const device of devices) if (chance(0.6)) enter(device);
  const count = FEWEST + Math.floor(random() * (MOST - FEWEST));
  for (let step = 0; step < count; step += 1) {
    const share = random();
    if (share < 0.3) add({ verb: 'wait', wait: pick(WAITS) });
    else if (share < 0.48) enter(pick(devices));
    else if (share < 0.7) addFault();
    else if (share < 0.8) act(pick(devices), 'exit');
    else if (share < 0.88) act(pick(devices), pick(MEDIA));
    else if (share < 0.91) act(pick(devices), 'updateItems', { items: { [pick(['a', 'b'])]: String(step) } });
    else if (share < 0.94) act(pick(devices), 'invite', { user: pick(users) });
    else if (share < 0.98) act(pick(devices), pick(['acceptInvitation', 'declineInvitation', 'cancelInvitation']));
    else act(pick(devices), 'deleteRoom');
  }
  return {
    scenario: `found/room-${seed}`,
    file: `seed ${seed}`,
    spec: [],
    tags: ['found'],
    worlds: {},
    seed,
    actors: Object.fromEntries(
      users.map((user) => [
        user,
        { user, online: true, ...(user === 'bob' && hasPhone ? { devices: ['phone', 'laptop'] } : {}) },
      ]),
    ),
    timers: {},
    ...(nodes > 1 ? { nodes } : {}),
    steps,
  };
}

/** Returns a fault of one of these devices, of the media server, or of the exchange. */
export function drawRoomFault({ random, pick, chance }: Draw, devices: readonly string[]): DrawnFault {
  const actor = pick(devices);
  const message = { ...(chance(0.5) ? { from: actor } : { to: actor }), cmd: pick(MESSAGES) };
  switch (Math.floor(random() * 10)) {
    case 0:
      return { kind: 'drop', ...message };
    case 1:
      return { kind: 'delay', ...message, by: pick(LASTING) };
    case 2:
      return { kind: 'duplicate', ...message, copies: 2 };
    case 3:
      return { kind: 'ws', actor, how: pick(['reset', 'vanish', 'stall', 'refuse', 'unavailable'] as const) };
    case 4:
      return { kind: 'http', actor, how: pick(['vanish', 'stall'] as const) };
    case 5:
      return { kind: pick(['network', 'offline'] as const), actor };
    case 6:
      return { kind: 'media', actor: pick([actor, MEDIA_SERVER]) };
    case 7:
      return { kind: 'device', actor, what: pick(['audio', 'video', 'display'] as const), error: 'NotFoundError' };
    case 8:
      return { kind: 'sleep', actor };
    default:
      return { kind: 'server', how: pick(['restart', 'crash', 'stall'] as const) };
  }
}
