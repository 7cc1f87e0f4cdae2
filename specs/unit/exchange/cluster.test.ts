import { describe, expect, it } from 'vitest';
import type { Cluster } from '../../../sim/exchange/cluster.ts';
import type { Router } from '../../../sim/exchange/delivery/router.ts';
import type { DeviceDirectory } from '../../../sim/exchange/directory/devices.ts';
import type { DeviceId } from '../../../sim/exchange/directory/sessions.ts';
import { createExchangeFixture } from './exchange-fixture.ts';

/** The part of one node that the other nodes use. */
interface Node {
  readonly devices: DeviceDirectory;
  readonly router: Router;
}

/** Nodes of one process, which call each other directly. */
class MemoryCluster {
  readonly #nodes: Node[] = [];

  /** Returns the cluster as a new node sees it. The exchange asks for its devices first. */
  join(): Cluster {
    let devices: DeviceDirectory;
    return {
      devices: (here) => {
        devices = here;
        return {
          clientsOf: (userId, accessToken) =>
            this.#nodes.flatMap((node) => node.devices.clientsOf(userId, accessToken)),
          isConnected: (userId) => this.#nodes.some((node) => node.devices.isConnected(userId)),
          has: (device) => this.#nodes.some((node) => node.devices.has(device)),
          signedIn: () => this.#nodes.flatMap((node) => node.devices.signedIn()),
        };
      },
      router: (here) => {
        this.#nodes.push({ devices, router: here });
        const routerOf = (device: DeviceId) => this.#nodes.find((node) => node.devices.has(device))?.router ?? here;
        return {
          send: (device, message, link) => (link ? here : routerOf(device)).send(device, message, link),
          close: (device, code, reason) => routerOf(device).close(device, code, reason),
        };
      },
    };
  }
}

async function twoNodes() {
  const cluster = new MemoryCluster();
  const [first, second] = [
    createExchangeFixture({ cluster: cluster.join() }),
    createExchangeFixture({ cluster: cluster.join() }),
  ];
  const alice = await first.device('alice');
  // A user can be called at a node that knows that the user has logged in.
  (await first.device('bob')).disconnect();
  const bob = await second.device('bob');
  return { first, second, alice, bob };
}

describe('a node of a cluster', () => {
  it('rings a device of another node, and ends the ring there', async () => {
    const { first, alice, bob } = await twoNodes();
    const call_id = alice.dial('bob');
    expect(bob.event('dial')).toMatchObject({ call_id, caller: { user_id: 'alice' } });
    alice.send('cancel', { call_id });
    expect(bob.types).toEqual(['dial', 'cancel']);
    expect(first.exchange.records).toMatchObject([{ callId: call_id, endResult: 'canceled' }]);
  });

  it('reports no unreached call when the callee is connected to another node', async () => {
    const cluster = new MemoryCluster();
    const unreached: string[] = [];
    const first = createExchangeFixture({ cluster: cluster.join() });
    first.exchange.subscribe((event) => void (event.kind === 'unreached' && unreached.push(event.calleeId)));
    const second = createExchangeFixture({ cluster: cluster.join() });
    const alice = await first.device('alice');
    (await first.device('bob')).disconnect();
    const bob = await second.device('bob');
    alice.dial('bob');
    expect(unreached).toEqual([]);
    bob.disconnect();
    alice.dial('bob');
    expect([unreached, first.exchange.presenceOf('bob')]).toEqual([['bob'], 'offline']);
  });

  it('closes the channel of a device of another node', async () => {
    const { first, bob } = await twoNodes();
    first.exchange.signOut('bob');
    expect(bob.closes).toEqual([4401]);
  });
});
