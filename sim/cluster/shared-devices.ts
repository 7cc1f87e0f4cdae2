import * as v from 'valibot';
import type { DeviceDirectory, Devices } from '../exchange/directory/devices.ts';
import type { DeviceId, SignedIn } from '../exchange/directory/sessions.ts';
import type { NodeName, SharedTable } from './node-link.ts';

/** A device of a user at one node: its client, the hash of its access token, and when it connected there. */
const entry = v.tuple([v.string(), v.nullable(v.string()), v.number()]);
const entries = v.pipe(v.string(), v.parseJson(), v.array(entry));
type Entry = v.InferOutput<typeof entry>;

/** The connected devices of all nodes. Each node publishes those of its own channels, by user. */
export class SharedDevices implements DeviceDirectory {
  readonly #here: Devices;
  readonly #table: SharedTable;
  readonly #time: () => number;
  /** When each device connected here, by user and client. */
  readonly #since = new Map<string, Map<string, number>>();
  /** The entries of other nodes that were read, by their text. */
  readonly #read = new Map<string, readonly Entry[]>();

  /** @param time - returns the time of the shared state. */
  constructor(here: Devices, table: SharedTable, time: () => number) {
    this.#here = here;
    this.#table = table;
    this.#time = time;
  }

  /** Publishes the devices of a user at this node. */
  changed(userId: string): void {
    const devices = this.#here.of(userId);
    const before = this.#since.get(userId);
    const since = new Map(devices.map(({ clientId }) => [clientId, before?.get(clientId) ?? this.#time()]));
    if (since.size === 0) this.#since.delete(userId);
    else this.#since.set(userId, since);
    const row = devices.map(({ clientId, access }): Entry => [clientId, access, since.get(clientId) ?? 0]);
    this.#table.set(userId, row.length === 0 ? null : JSON.stringify(row));
  }

  /** Returns the other node to which the device connected last. Undefined when it is connected to none. */
  nodeOf({ userId, clientId }: DeviceId): NodeName | undefined {
    let found: { readonly node: NodeName; readonly at: number } | undefined;
    for (const [node, text] of this.#table.elsewhere(userId)) {
      const at = this.#entriesIn(text).find(([client]) => client === clientId)?.[2];
      if (at !== undefined && (found === undefined || at > found.at)) found = { node, at };
    }
    return found?.node;
  }

  /** Returns the nodes at which other channels of this client are open. */
  nodesWith({ userId, clientId }: DeviceId): NodeName[] {
    return [...this.#table.elsewhere(userId)].flatMap(([node, text]) =>
      this.#entriesIn(text).some(([client]) => client === clientId) ? [node] : [],
    );
  }

  /** Returns the devices that are connected to a node. */
  devicesAt(node: NodeName): DeviceId[] {
    return [...this.#table.keysElsewhere()].flatMap((userId) => {
      const text = this.#table.elsewhere(userId).get(node);
      return text === undefined ? [] : this.#entriesIn(text).map(([clientId]) => ({ userId, clientId }));
    });
  }

  clientsOf(userId: string, access?: string): string[] {
    const elsewhere = [...this.#table.elsewhere(userId).values()]
      .flatMap((text) => this.#entriesIn(text))
      .filter(([, theirs]) => access === undefined || theirs === access)
      .toSorted(([, , one], [, , other]) => one - other)
      .map(([clientId]) => clientId);
    return [...new Set([...this.#here.clientsOf(userId, access), ...elsewhere])];
  }

  isConnected(userId: string): boolean {
    return this.#here.isConnected(userId) || this.#table.elsewhere(userId).size > 0;
  }

  has(device: DeviceId): boolean {
    return this.#here.has(device) || this.nodeOf(device) !== undefined;
  }

  signedIn(): SignedIn[] {
    return this.#here.signedIn();
  }

  #entriesIn(text: string): readonly Entry[] {
    const known = this.#read.get(text);
    if (known) return known;
    const parsed = v.safeParse(entries, text);
    const read = parsed.success ? parsed.output : [];
    this.#read.set(text, read);
    for (const oldest of this.#read.keys()) {
      if (this.#read.size <= READ) break;
      this.#read.delete(oldest);
    }
    return read;
  }
}

/** The most texts of entries that are kept as read. */
const READ = 20_000;
