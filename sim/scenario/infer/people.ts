/** Who is in a recording: the users, their devices, and those who are only heard of. */
import { actorName, freeName } from './actor-name.ts';
import { type Fact, type Payload, textOf } from './facts.ts';

export class People {
  /** The user of each device that is in the trace. */
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

  /** Whether a device of this user is in the trace. */
  isRecorded(user: string): boolean {
    return [...this.#users.values()].includes(user);
  }

  /** The actor who plays a user; one who is only heard of gets a name now. */
  actorOf(user: string): string {
    const known = this.#actors.get(user);
    if (known !== undefined) return known;
    const name = freeName(actorName(user), new Set(this.#actors.values()));
    this.#actors.set(user, name);
    return name;
  }

  /** The devices of a user that are in the trace, by their names there. */
  devicesOf(user: string): readonly string[] {
    return this.#devices.get(this.actorOf(user)) ?? [];
  }

  /** The device as a scenario names it: where a user has several, the one without a name has a name there. */
  nameOf(device: string): string {
    const devices = this.#devices.get(device.split('.')[0] ?? device) ?? [];
    return devices.length > 1 && !device.includes('.') ? `${device}.device1` : device;
  }

  /** Everybody who is played, as the head of a scenario names them. */
  cast(): { readonly actor: string; readonly user: string; readonly devices: readonly string[] }[] {
    return [...this.#actors].map(([user, actor]) => ({
      actor,
      user,
      devices: (this.#devices.get(actor) ?? [])
        .map((device) => this.nameOf(device).split('.')[1])
        .filter((name) => name !== undefined),
    }));
  }
}

/** What a fact says of the user whose device it is of. */
function ownUser(fact: Fact): string | undefined {
  if (fact.kind === 'request') {
    const user = /^\/v1\/users\/([^/]+)\/login$/.exec(fact.path)?.[1];
    return user === undefined ? undefined : decoded(user);
  }
  if (fact.kind === 'command' && fact.type === 'dial' && !fact.unseen) return userIn(fact.reply?.payload, 'caller');
  if (fact.kind === 'signal' && fact.type === 'dial') return userIn(fact.payload, 'callee');
  return undefined;
}

/** The user id of a part of a dial, or of its acknowledgement. */
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
