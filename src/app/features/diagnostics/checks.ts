import type { CallingConnection } from '../../../react/index.ts';
import type { Connectivity } from '../../../common/connectivity.ts';
import type { DevicePermission, DevicePermissions } from '../../core/ports/device-permissions.ts';
import type { Clock } from '../../../common/clock.ts';
import type { ProductClient } from '../../core/product/product-client.ts';
import { ProductError } from '../../core/product/product-error.ts';
import type { ReadableStore } from '../../../common/store.ts';

/** The results of the checks of what calls and chats need. */
export interface Findings {
  readonly online: boolean;
  /** The response time of the server in milliseconds. Null when the server is unreachable. */
  readonly serverMs: number | null;
  /** True while the socket of the events is connected. */
  readonly live: boolean;
  readonly calling: CallingConnection;
  /** True when the browser connects two peers by WebRTC. */
  readonly webrtc: boolean;
  readonly microphone: DevicePermission;
  readonly camera: DevicePermission;
}

interface Dependencies {
  product: Pick<ProductClient, 'ask'>;
  connectivity: Pick<Connectivity, 'isOnline'>;
  events: { readonly isOpen: ReadableStore<boolean> };
  calling: { readonly connection: ReadableStore<CallingConnection> };
  permissions: Pick<DevicePermissions, 'of'>;
  canConnect(): Promise<boolean>;
  clock: Pick<Clock, 'wallTime'>;
}

/** The number of requests, since a single answer may be slow by accident. */
const ASKED = 3;

/** Runs all checks at once. Never rejects. */
export async function findOut(outside: Dependencies): Promise<Findings> {
  const { connectivity, events, calling, permissions } = outside;
  const [serverMs, webrtc, microphone, camera] = await Promise.all([
    answerTime(outside),
    outside.canConnect().catch(() => false),
    permissions.of('microphone'),
    permissions.of('camera'),
  ]);
  return {
    online: connectivity.isOnline(),
    serverMs,
    live: events.isOpen.get(),
    calling: calling.connection.get(),
    webrtc,
    microphone,
    camera,
  };
}

/** Returns the median response time. The requests run one after the other, so that they do not delay each other. */
async function answerTime({ product, clock }: Pick<Dependencies, 'product' | 'clock'>): Promise<number | null> {
  const times: number[] = [];
  for (let count = 0; count < ASKED; count += 1) {
    const from = clock.wallTime();
    try {
      await product.ask('rules', {});
    } catch (error) {
      // A refusal is an answer, too.
      if (!(error instanceof ProductError) || error.kind === 'unreachable') return null;
    }
    times.push(clock.wallTime() - from);
  }
  return times.toSorted((one, other) => one - other)[Math.floor(ASKED / 2)] ?? null;
}
