/** The users of a recording, their devices, and users who are only mentioned. */
import { type Fact, type Payload, textOf } from './facts.ts';

export class RecordedUsers {
  /** The user of each device in the trace. */
  readonly #users = new Map<string, string>();
  /** The actor of each user. */
  readonly #actors = new Map<string, string>();
  /** The devices of each actor, by their names in the trace. */
  readonly #devices = new Map<string, string[]>();

  constructor(facts: readonly Fact[]) {
    for (const { device } of facts) {
      const actor = device.split('.')[0] ?? device;
      const devices = this.#devices.get(actor) ?? [];
      if (!devices.includes(device)) this.#devices.set(actor, [...devices, device]);
    }
    for (const fact of facts) {
      const user = ownUser(fact);
      if (user !== undefined) this.#users.set(fact.device, user);
    }
    for (const [actor, devices] of this.#devices) {
      const user = devices.map((device) => this.#users.get(device)).find((known) => known !== undefined) ?? actor;
      for (const device of devices) this.#users.set(device, user);
      this.#actors.set(user, actor);
    }
  }

  userOf(device: string): string {
    return this.#users.get(device) ?? device;
  }

  /** Returns whether a device of this user is in the trace. */
  isRecorded(user: string): boolean {
    return [...this.#users.values()].includes(user);
  }

  /** Returns the actor for a user. Names a user who is only mentioned. */
  actorOf(user: string): string {
    const known = this.#actors.get(user);
    if (known !== undefined) return known;
    const name = freeName(actorName(user), new Set(this.#actors.values()));
    this.#actors.set(user, name);
    return name;
  }

  /** Returns the devices of a user that are in the trace, by their names there. */
  devicesOf(user: string): readonly string[] {
    return this.#devices.get(this.actorOf(user)) ?? [];
  }

  /**
   * Returns the name of the device in a scenario. If a user has several devices, the unnamed one gets a name there.
   */
  nameOf(device: string): string {
    const devices = this.#devices.get(device.split('.')[0] ?? device) ?? [];
    return devices.length > 1 && !device.includes('.') ? `${device}.device1` : device;
  }

  /** Returns all actors as the head of a scenario names them. */
  actors(): { readonly actor: string; readonly user: string; readonly devices: readonly string[] }[] {
    return [...this.#actors].map(([user, actor]) => ({
      actor,
      user,
      devices: (this.#devices.get(actor) ?? [])
        .map((device) => this.nameOf(device).split('.')[1])
        .filter((name) => name !== undefined),
    }));
  }
}

/** Returns the user id of the device in a fact. Undefined if the fact has none. */
function ownUser(fact: Fact): string | undefined {
  if (fact.kind === 'request') {
    const user = /^\/v1\/users\/([^/]+)\/login$/.exec(fact.path)?.[1];
    return user === undefined ? undefined : decoded(user);
  }
  if (fact.kind === 'command' && fact.type === 'dial' && !fact.unseen) return userIn(fact.reply?.payload, 'caller');
  if (fact.kind === 'signal' && fact.type === 'dial') return userIn(fact.payload, 'callee');
  return undefined;
}

/** Returns the user id in a part of a dial, or of its acknowledgement. */
export function userIn(payload: Payload | undefined, part: 'caller' | 'callee' | 'ended_by'): string | undefined {
  const user = payload?.[part];
  const id = typeof user === 'object' && user !== null && 'user_id' in user ? textOf(user.user_id) : '';
  return id === '' ? undefined : id;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Returns the name of a user in a scenario and its trace: letters, digits, - and _, beginning with a letter. */
export function actorName(userId: string): string {
  const plain = userId.replaceAll(/[^\w-]+/g, '_');
  return /^[a-z]/i.test(plain) ? plain : `user_${plain}`;
}

/** Returns the name, or a similar one that is not taken. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  for (let count = 2; ; count += 1) if (!taken.has(`${name}-${count}`)) return `${name}-${count}`;
}
