/**
 * A client under test and an exchange that plays a script, in virtual time. The simulated users run the library as
 * well.
 */
import { createClient, type Client } from '../../../../src/calls/client/client.ts';
import type { DirectCall } from '../../../../src/calls/direct-call/direct-call.ts';
import type { CallError } from '../../../../src/protocol/errors.ts';
import { Exchange } from '../../../../sim/exchange/exchange.ts';
import { Log } from '../../../../sim/exchange/logging/log.ts';
import type { LogEntry } from '../../../../sim/exchange/ports.ts';
import { chooseScript, type OwnScripts } from '../../../../sim/scripts/choose-script.ts';
import type { MediaPeerMaker } from '../../../../sim/scripts/media-peer.ts';
import { ScriptedExchange } from '../../../../sim/scripts/scripted-exchange.ts';
import { createWorld, type VirtualNetworkWorld } from '../../../../sim/virtual/world.ts';
import { MemoryStore } from '../../../../sim/store/memory-store.ts';
import { loadedParts } from '../../../../src/calls/client/loaded-parts.ts';

const HOSTS = {
  defaultApiHost: 'http://exchange.test',
  defaultWebsocketHost: 'ws://exchange.test',
  parts: loadedParts(),
};
const APP_ID = 'ringback-demo';
const TOKEN = 'of-simulated-people';
const PEOPLE = ['alice', 'bob', 'carol', 'dave'];

export interface ScriptWorld {
  readonly world: VirtualNetworkWorld<ScriptedExchange>;
  readonly exchange: Exchange;
  readonly log: readonly LogEntry[];
  /** Signs a client in, and lets it wait for calls. Rejects with the CallError of a refusal. */
  client(userId?: string, device?: string, accessToken?: string): Promise<TestClient>;
  /** The number of users with media. */
  readonly parties: number;
  /** The access tokens that they got, in order. */
  readonly tokens: readonly string[];
  /** Signs every user out. Returns what is left then, as text. */
  close(): Promise<string[]>;
}

export function scriptWorld(words: string, own: OwnScripts = []): ScriptWorld {
  const log: LogEntry[] = [];
  const clients: Client[] = [];
  const calls = new Map<string, string[]>();
  const tokens: string[] = [];
  let made = 0;
  const id = (kind: string) => `${kind}-${String((made += 1)).padStart(20, '0')}`;
  const ids = { uuid: () => id('id'), token: () => id('token') };

  /** Signs in as a user, on a new device. */
  const signIn = async (name: string, userId: string, accessToken?: string): Promise<Client> => {
    const client = createClient(world.platform(name), { ...HOSTS, consoleLevel: 'DEBUG' });
    clients.push(client);
    client.init(APP_ID);
    await client.authenticate({ userId, ...(accessToken === undefined ? {} : { accessToken }) });
    await client.connectWebSocket();
    return client;
  };
  const partyMaker: MediaPeerMaker = {
    answer({ userId, token, callId }) {
      tokens.push(token);
      const name = `${userId}-party-${tokens.length}`;
      calls.set(callId, [...(calls.get(callId) ?? []), name]);
      let rung: DirectCall | null = null;
      let isToAccept = false;
      const accept = () => rung?.accept({ callOption: {} });
      const signedIn = signIn(name, userId, token).then((client) => {
        client.addListener('party', {
          onRinging: (call) => {
            if (call.callId !== callId) return;
            rung = call;
            if (isToAccept) accept();
          },
        });
        return client;
      });
      return {
        accept() {
          isToAccept = true;
          accept();
        },
        end: () => rung?.end(),
        leave: () => void signedIn.then((client) => client.deauthenticate()),
      };
    },
    dial({ userId, token, calleeId, video }) {
      tokens.push(token);
      const name = `${userId}-party-${tokens.length}`;
      const dialled = signIn(name, userId, token).then((client) => ({
        client,
        call: client.dial({ userId: calleeId, isVideoCall: video, callOption: {} }, () => undefined),
      }));
      return {
        accept: () => undefined,
        end: () => void dialled.then(({ call }) => call.end()),
        leave: () => void dialled.then(({ client }) => client.deauthenticate()),
      };
    },
  };
  let exchange: Exchange | undefined;
  const world = createWorld({
    seed: 1,
    exchange: (clock) => {
      const script = chooseScript(words, own, PEOPLE);
      exchange = new Exchange({
        clock,
        ids,
        store: new MemoryStore(),
        users: PEOPLE.map((user_id) => ({ user_id, nickname: user_id, profile_url: '' })),
        settings: { appId: APP_ID },
      });
      return new ScriptedExchange({
        script,
        exchange,
        appId: APP_ID,
        userIds: PEOPLE,
        token: TOKEN,
        clock,
        ids,
        log: new Log((entry) => log.push(entry), clock),
        parties: partyMaker,
        media: {
          cut: (callId) => calls.get(callId)?.forEach((name) => world.media.cutDevice(name)),
          restore: (callId) => calls.get(callId)?.forEach((name) => world.media.restoreDevice(name)),
        },
      });
    },
  });
  return {
    world,
    get exchange() {
      if (!exchange) throw new Error('there is no exchange');
      return exchange;
    },
    log,
    get parties() {
      return tokens.length;
    },
    tokens,
    async client(userId = 'alice', device = userId, accessToken?: string) {
      const outcome = signIn(device, userId, accessToken).then(
        (client) => ({ client }),
        (error: unknown) => ({ error }),
      );
      await world.advance(50);
      const settled = await outcome;
      if ('error' in settled) throw settled.error;
      return new TestClient(world, settled.client);
    },
    async close() {
      world.exchange.close();
      for (const client of clients) client.deauthenticate();
      exchange?.close();
      await world.advance(100);
      return world.leftovers().filter((line) => !/\d+ (device|page) listeners$/.test(line));
    },
  };
}

/** The client under test, and the events of its calls, with the time since its dial or the ring. */
export class TestClient {
  readonly client: Client;
  readonly rung: DirectCall[] = [];
  /** `name at milliseconds`, since the last dial or ring. */
  readonly course: string[] = [];
  readonly refused: number[] = [];
  readonly #world: VirtualNetworkWorld<ScriptedExchange>;
  #since = 0;

  constructor(world: VirtualNetworkWorld<ScriptedExchange>, client: Client) {
    this.#world = world;
    this.client = client;
    client.addListener('test', {
      onRinging: (call) => {
        this.rung.push(call);
        this.#begin('rings');
        this.#follow(call);
      },
    });
  }

  dial(userId: string, isVideoCall = true): DirectCall {
    this.#begin('dials');
    const call = this.client.dial({ userId, isVideoCall, callOption: {} }, (_, error: CallError | null | undefined) => {
      if (error) this.refused.push(error.code);
    });
    this.#follow(call);
    return call;
  }

  /** The time of the last event of a name, in milliseconds since the dial or the ring. Undefined before the first. */
  when(what: string): number | undefined {
    const line = this.course.findLast((one) => one.startsWith(`${what} `));
    return line === undefined ? undefined : Number(line.split(' ').at(-1));
  }

  #begin(what: string): void {
    this.#since = this.#world.clock.now();
    this.#note(what);
  }

  #note(what: string): void {
    this.course.push(`${what} ${this.#world.clock.now() - this.#since}`);
  }

  #follow(call: DirectCall): void {
    call.onCalleeDialReceived = () => this.#note('ringing');
    call.onEstablished = () => this.#note('established');
    call.onConnected = () => this.#note('connected');
    call.onReconnecting = () => this.#note('reconnecting');
    call.onReconnected = () => this.#note('reconnected');
    call.onEnded = () => this.#note(`ended ${call.endResult?.toLowerCase() ?? 'none'}`);
  }
}
