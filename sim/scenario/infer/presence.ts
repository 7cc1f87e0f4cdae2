/** The presence of users: signing in and out, broken channels, and users who were never reached. */
import { ErrorCode } from '../../../src/protocol/errors.ts';
import type { Act, StoryEvent, FaultChange, DeviceObservation } from './story-events.ts';
import type { CallStory } from './calls.ts';
import type { ChannelChange, Fact } from './facts.ts';
import type { RecordedUsers } from './recorded-users.ts';

export interface Presence {
  readonly events: readonly StoryEvent[];
  /** Users who had never signed in when they were first called. */
  readonly strangers: ReadonlySet<string>;
  /** When devices were cut off permanently, by their names. */
  readonly gone: ReadonlyMap<string, number>;
}

/** Close codes of an intended close by the client: done, gone to another page, no code (RFC 6455 §7.4.1). */
const CLEAN = [1000, 1001, 1005];
/** The library reopens a lost channel after two seconds. Only after a reset is it this fast. Milliseconds. */
const RESET_MS = 3_000;
/** Messages in transit within this time of the reopening are not lost any more. Milliseconds. */
const EARLY_MS = 300;
/** An end is sent this long before its channel closes. Milliseconds. */
const LEAVING_MS = 1_000;

export function presenceOf(facts: readonly Fact[], calls: readonly CallStory[], users: RecordedUsers): Presence {
  const began = Math.min(...calls.map(({ dial }) => dial.at));
  const strangers = new Set(
    calls
      .filter(({ dial }) => dial.reply?.error === ErrorCode.ERR_CALLEE_NEVER_AUTHENTICATE)
      .map(({ callee }) => callee),
  );
  const gone = new Map<string, number>();
  const events: StoryEvent[] = [];
  for (const device of new Set(facts.map((fact) => fact.device))) {
    const own = facts.filter((fact) => fact.device === device);
    const [first] = own;
    if (!first) continue;
    const changes = own.filter((fact): fact is ChannelChange => fact.kind === 'channel');
    // A channel that was never seen to open was open before the recording. A device that logs in was not online
    // before.
    const opened = changes[0]?.what === 'open' ? changes[0].at : undefined;
    const isLate = opened !== undefined && opened > began && !own.some(({ at }) => at < began);
    if (isLate && !strangers.has(users.userOf(device))) events.push(signing(device, 'signOut', 0));
    if (isLate) events.push(signing(device, 'signIn', loginsIn(own)[0] ?? opened));
    events.push(
      ...changesOf(device, changes.slice(opened === undefined ? 0 : 1), {
        calls,
        began,
        gone,
        name: users.nameOf(device),
        logins: loginsIn(own),
      }),
    );
  }
  events.push(...absent(calls, users));
  const last = Math.max(...calls.flatMap((call) => [call.dial.at, call.ending?.at ?? 0]));
  // A sign-out after the last event does not matter.
  return { events: events.filter(({ at, kind }) => kind !== 'act' || at <= last), strangers, gone };
}

interface Around {
  /** The name of the device in the scenario. */
  readonly name: string;
  readonly calls: readonly CallStory[];
  readonly began: number;
  readonly gone: Map<string, number>;
  /** When the device logged in. Milliseconds. */
  readonly logins: readonly number[];
}

/** Returns the events of a device's channel after its first opening. */
function changesOf(device: string, changes: readonly ChannelChange[], around: Around): StoryEvent[] {
  const events: StoryEvent[] = [];
  for (const [index, { what, at, code }] of changes.entries()) {
    // A failed attempt closes a channel that was never open.
    if (what === 'open' || changes[index - 1]?.what === 'close') continue;
    const back = changes.slice(index + 1).find((later) => later.what === 'open');
    if ((back?.at ?? at) < around.began) continue;
    // A device that logs in again was signed out. One that only reopens its channel had lost it.
    const login = back && around.logins.find((moment) => moment > at && moment <= back.at);
    const isLeaving = back ? login !== undefined : CLEAN.includes(code ?? 0);
    if (isLeaving && !isInCall(device, at, around.calls)) {
      events.push(signing(device, 'signOut', at));
      if (login !== undefined) events.push(signing(device, 'signIn', login));
    } else if (back) events.push(...broken({ device, name: around.name }, at, back.at, code));
    else if (isInCall(device, at, around.calls)) around.gone.set(device, at);
  }
  return events;
}

const loginsIn = (facts: readonly Fact[]): number[] =>
  facts.flatMap((fact) => (fact.kind === 'request' && fact.path.endsWith('/login') ? [fact.at] : []));

const signing = (device: string, action: 'signIn' | 'signOut', at: number): Act => ({
  kind: 'act',
  at,
  device,
  action,
});

function broken(
  { device, name }: { device: string; name: string },
  at: number,
  back: number,
  code: number | undefined,
): [FaultChange, DeviceObservation] {
  const ms = back - at;
  const isShort = ms <= RESET_MS;
  return [
    {
      kind: 'fault',
      at,
      step: {
        fault: { kind: 'ws', actor: name, how: isShort ? 'reset' : 'refuse' },
        ...(isShort ? {} : { until: `${Math.round(ms - EARLY_MS)}ms` }),
      },
      comment: `The channel closed${code === undefined ? '' : ` with ${code}`}, and was open again ${(ms / 1_000).toFixed(1)} s later.`,
    },
    { kind: 'deviceObservation', at: back, device, values: { ws: 'open' } },
  ];
}

/** Returns whether the device is in a call that it has not ended itself. */
function isInCall(device: string, at: number, calls: readonly CallStory[]): boolean {
  return calls.some((call) => {
    const leg = call.legs.get(device);
    const isPart = device === call.dial.device || device === call.accept?.device;
    return (
      isPart && call.dial.at < at && leg !== undefined && (leg.over === undefined || leg.over.at > at + LEAVING_MS)
    );
  });
}

/**
 * Returns sign-outs for callees without a trace whose devices never rang: they had signed in before, and were
 * offline.
 */
function absent(calls: readonly CallStory[], users: RecordedUsers): Act[] {
  const unreached = new Map<string, CallStory[]>();
  for (const call of calls) {
    if (call.dial.reply?.error !== undefined || users.devicesOf(call.callee).length > 0) continue;
    unreached.set(call.callee, [...(unreached.get(call.callee) ?? []), call]);
  }
  return [...unreached]
    .filter(([, own]) => own.every(({ accept, ending, dial }) => !accept && ending?.device === dial.device))
    .filter(([, own]) => own.every(({ rang }) => !rang))
    .map(([user]) => signing(users.actorOf(user), 'signOut', 0));
}
