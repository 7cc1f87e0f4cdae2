/** The messages that the server lost or delayed: each becomes a fault on one message of a scenario. */
import { spanText } from '../../format/duration.ts';
import type { FaultChange } from './story-events.ts';
import type { CallStory } from './calls.ts';
import type { Channels, Command, Fact, Payload, Signal } from './facts.ts';
import type { RecordedUsers } from './recorded-users.ts';

/** Commands that the exchange forwards to the other side under the same name. */
const PASSED_ON = new Set([
  'accept',
  'cancel',
  'decline',
  'end',
  'no_answer',
  'timeout',
  'connection_lost',
  'hold',
  'offer',
  'answer',
  'audio',
  'video',
  'recording',
  'connected',
]);
/** Messages that are repeated until they are answered: the fate of the first decides about the others. */
const REPEATED = ['offer', 'answer'];
/** A message that has not arrived within this time is lost. Milliseconds. */
const PATIENCE_MS = 5_000;
/** A server that takes longer than this is slow. Milliseconds. */
const SLOW_MS = 1_000;

interface Around {
  readonly facts: readonly Fact[];
  /** When the recording ended. Milliseconds. */
  readonly until: number;
  readonly calls: readonly CallStory[];
  readonly channels: Channels;
  readonly users: RecordedUsers;
}

export interface LostMessages {
  readonly faults: readonly FaultChange[];
  /** The calls in which a side never got the other's description. */
  readonly unheard: ReadonlySet<string>;
}

export function lostMessages(around: Around): LostMessages {
  const commands = around.facts.filter(
    (fact): fact is Command => fact.kind === 'command' && !fact.unseen && fact.at + PATIENCE_MS <= around.until,
  );
  const unheard = new Set<string>();
  const faults = around.calls.flatMap((call) => {
    const own = commands.filter(({ callId }) => callId === call.id);
    const once = own.filter(({ type }) => !REPEATED.includes(type)).flatMap((command) => fateOf(command, call, around));
    const repeated = REPEATED.flatMap((type) => {
      const sent = own.filter((command) => command.type === type);
      return fateOfRepeated(sent, call, around);
    });
    if (repeated.some(({ step }) => step['first'] === undefined)) unheard.add(call.id);
    return [...once, ...repeated];
  });
  return { faults, unheard };
}

/** Returns the faults of a command that is sent once. */
function fateOf(command: Command, call: CallStory, around: Around): FaultChange[] {
  const { at, device, type, reply } = command;
  const name = around.users.nameOf(device);
  const receivers = receiversOf(command, call, around);
  const came = receivers.map((receiver) => ({ receiver, signal: signalAfter(command, receiver, around.facts) }));
  const faults: Payload[] = [];
  if (!reply && around.channels.isOpen(device, at, at + PATIENCE_MS)) {
    const isHeard = receivers.length === 0 || came.some(({ signal }) => signal !== undefined);
    if (!isHeard) return [lost({ from: name, cmd: type }, at, `The ${type} of ${name} had no effect and no reply.`)];
    faults.push({ kind: 'drop', to: name, cmd: `${type}_ack` });
  } else if (reply && reply.at - at > SLOW_MS) {
    faults.push({ kind: 'delay', to: name, cmd: `${type}_ack`, by: spanText(reply.at - at) });
  }
  for (const { receiver, signal } of reply?.error === undefined ? came : []) {
    const to = { to: around.users.nameOf(receiver), cmd: type };
    if (!signal) faults.push({ kind: 'drop', ...to });
    else if (signal.at - at > SLOW_MS) faults.push({ kind: 'delay', ...to, by: spanText(signal.at - at) });
  }
  return faults.map((fault) => ({ kind: 'fault', at, step: { fault, first: 1 }, comment: inWords(fault) }));
}

/** Returns the faults of a repeated command: how many of the first were lost. */
function fateOfRepeated(commands: readonly Command[], call: CallStory, around: Around): FaultChange[] {
  const [first] = commands;
  if (!first || !call.accept) return [];
  const [receiver] = receiversOf(first, call, around);
  if (receiver === undefined) return [];
  const arrived = commands.findIndex((command) => signalAfter(command, receiver, around.facts) !== undefined);
  if (arrived === 0) return [];
  const by = first.reply ? { to: around.users.nameOf(receiver) } : { from: around.users.nameOf(first.device) };
  const strikes = arrived < 0 ? {} : { first: arrived };
  return [
    {
      kind: 'fault',
      at: call.accept.at,
      step: { fault: { kind: 'drop', ...by, cmd: first.type }, ...strikes },
      comment: `${arrived < 0 ? `No ${first.type}` : `Only ${first.type} number ${arrived + 1}`} arrived.`,
    },
  ];
}

const lost = (message: Payload, at: number, comment: string): FaultChange => ({
  kind: 'fault',
  at,
  step: { fault: { kind: 'drop', ...message }, first: 1 },
  comment,
});

const inWords = ({ kind, to, cmd, by }: Payload): string =>
  kind === 'drop'
    ? `${String(to)} never received ${String(cmd)}.`
    : `${String(to)} received ${String(cmd)} ${String(by)} late.`;

/** Returns the devices that the command concerned, and whose channels were open. */
function receiversOf({ type, device, at }: Command, call: CallStory, { channels, users }: Around): string[] {
  const isThere = (other: string) => other !== device && channels.isOpen(other, at, at + PATIENCE_MS);
  if (type === 'dial') return users.devicesOf(call.callee).filter(isThere);
  if (!PASSED_ON.has(type)) return [];
  const callees = call.accept ? [call.accept.device] : [...call.legs.keys()].filter((leg) => leg !== call.dial.device);
  return (device === call.dial.device ? callees : [call.dial.device]).filter((other) => {
    const leg = call.legs.get(other);
    return (
      users.isRecorded(users.userOf(other)) && isThere(other) && leg !== undefined && (leg.over?.at ?? Infinity) >= at
    );
  });
}

/** Returns the signal that forwarded a command to a device. */
function signalAfter(
  { type, at, callId, payload }: Command,
  device: string,
  facts: readonly Fact[],
): Signal | undefined {
  const offerId = payload['offer_id'];
  return facts.find(
    (fact): fact is Signal =>
      fact.kind === 'signal' &&
      fact.at >= at &&
      fact.device === device &&
      fact.type === type &&
      fact.callId === callId &&
      (offerId === undefined || !REPEATED.includes(type) || fact.payload['offer_id'] === offerId),
  );
}
