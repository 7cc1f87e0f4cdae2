/**
 * The losses of media, as far as the wire shows them: media itself is not recorded. A side reports that it is
 * connected again, or that the connection is lost. The time from the loss to the report is known from ICE and the
 * library.
 */
import { TIMES } from '../../../src/protocol/limits.ts';
import { MEASURED_ICE } from '../../virtual/ice.ts';
import type { FaultChange } from './story-events.ts';
import type { CallStory } from './calls.ts';
import type { Command, Fact } from './facts.ts';
import type { RecordedUsers } from './recorded-users.ts';

/** From the loss until a side reports the lost connection. Milliseconds. */
const LOST_MS = MEASURED_ICE.disconnected + TIMES.reconnectGraceMs;
/** From the loss until the caller restarts ICE. Milliseconds. */
const RESTART_MS = MEASURED_ICE.disconnected + MEASURED_ICE.failedAfter;
/** Events within this time are simultaneous. Milliseconds. */
const MOMENT_MS = 20;

interface Around {
  readonly facts: readonly Fact[];
  readonly users: RecordedUsers;
  /** When devices were cut off permanently. */
  readonly gone: ReadonlyMap<string, number>;
  /** The calls whose descriptions were lost. Their failure to connect needs no other reason. */
  readonly unheard: ReadonlySet<string>;
}

export function mediaLosses(calls: readonly CallStory[], around: Around): FaultChange[] {
  const cut = [...around.gone].map(([device, at]) => cutOff(around.users.nameOf(device), at));
  return [
    ...cut,
    ...calls.flatMap((call, index) => {
      const isCut = [call.dial.device, call.accept?.device ?? ''].some((device) => around.gone.has(device));
      const name = `lost${index === 0 ? '' : index + 1}`;
      return isCut ? [] : [...lossOf(call, name, around), ...reconnections(call, around)];
    }),
  ];
}

/** Returns the fault of a device that is gone: neither its channel nor its media return. */
const cutOff = (actor: string, at: number): FaultChange => ({
  kind: 'fault',
  at,
  step: { fault: { kind: 'offline', actor } },
  comment: `${actor} was gone.`,
});

/** Returns the faults for media that never flowed, or never returned. */
function lossOf(call: CallStory, name: string, { users, unheard }: Around): FaultChange[] {
  const { accept, ending, legs } = call;
  const connected = [...legs.values()].flatMap(({ connectedAt }) => connectedAt ?? []);
  const over = Math.max(...[...legs.values()].map((leg) => leg.over?.at ?? 0));
  if (!accept || over === 0) return [];
  const mended: FaultChange = { kind: 'fault', at: over + 1, step: { clear: name }, comment: '' };
  const lost = (device: string, at: number, comment: string): FaultChange[] => [
    { kind: 'fault', at, step: { fault: { kind: 'media', actor: users.nameOf(device) }, as: name }, comment },
    mended,
  ];
  if (connected.length === 0)
    return unheard.has(call.id) ? [] : lost(call.dial.device, accept.at, 'Media never flowed.');
  if (ending?.type !== 'connection_lost') return [];
  const at = Math.max(ending.at - LOST_MS, Math.max(...connected) + MOMENT_MS);
  return lost(ending.device, at, 'Media was lost. The trace does not show exactly when.');
}

/** Returns the faults for media that returned. */
function reconnections(call: CallStory, { facts, users }: Around): FaultChange[] {
  const own = facts.filter((fact): fact is Command => fact.kind === 'command' && fact.callId === call.id);
  const connectedAt = Math.max(0, ...[...call.legs.values()].map((leg) => leg.connectedAt ?? 0));
  let since = connectedAt;
  return own.flatMap((command): FaultChange[] => {
    // Both sides report it. The second report within a moment of the first is of the same loss.
    if (command.type !== 'connected' || command.payload['reconnect'] !== true) return [];
    const isSecond = since > connectedAt && command.at - since < TIMES.peerConnectionSwapMs;
    const restart = own.findLast(({ type, at }) => type === 'offer' && at > since && at <= command.at);
    const earlier = since;
    since = command.at;
    if (isSecond) return [];
    const wanted = restart ? restart.at - RESTART_MS : command.at - MEASURED_ICE.disconnected - MOMENT_MS;
    const at = Math.max(wanted, earlier + MOMENT_MS);
    const lasted = Math.max(
      command.at - at - MOMENT_MS,
      (restart ? RESTART_MS : MEASURED_ICE.disconnected) + MOMENT_MS,
    );
    return [
      {
        kind: 'fault',
        at,
        step: { fault: { kind: 'media', actor: users.nameOf(command.device) }, until: `${Math.round(lasted)}ms` },
        comment: 'Media was lost and came back. The trace does not show exactly when it was lost.',
      },
    ];
  });
}

/** Returns the changes of relays during calls. Each counts once, however many devices were notified. */
export function relayChanges(facts: readonly Fact[]): FaultChange[] {
  let last = -Infinity;
  return facts.flatMap((fact): FaultChange[] => {
    if (fact.kind !== 'signal' || fact.type !== 'turn_changed' || fact.at - last < TIMES.peerConnectionSwapMs)
      return [];
    last = fact.at;
    return [{ kind: 'fault', at: fact.at, step: { fault: { kind: 'server', how: 'turn-changed' } }, comment: '' }];
  });
}
