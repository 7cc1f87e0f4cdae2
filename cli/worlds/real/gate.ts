/**
 * A gate between one device and the exchange: a TCP port that forwards to the exchange and can be shut. Real
 * connections break, so each side sees what a network would show: a reset, silence, a refusal.
 */
import { once } from 'node:events';
import { createServer, connect, type AddressInfo, type Socket } from 'node:net';

/**
 * `up` forwards. `down` resets new connections. `stalled` neither delivers nor closes, and delivers everything when it
 * is `up`
 * again. A number answers with that HTTP status.
 */
export type GateMode = 'up' | 'down' | 'stalled' | number;

export interface Gate {
  readonly port: number;
  /** Sets the mode for new data. Open connections stay. */
  set(mode: GateMode): void;
  /** Resets every connection, on both sides. */
  reset(): void;
  close(): Promise<void>;
}

const HOST = '127.0.0.1';

/** Opens a gate to this port of this machine. */
export async function openGate(target: number): Promise<Gate> {
  let mode: GateMode = 'up';
  const passages = new Set<Passage>();
  const server = createServer((near) => {
    near.setNoDelay(true);
    // The close event that follows reports the error.
    near.on('error', () => undefined);
    if (mode === 'down') {
      near.resetAndDestroy();
      return;
    }
    if (typeof mode === 'number') {
      refuse(near, mode);
      return;
    }
    const passage = new Passage(near, target);
    passages.add(passage);
    near.once('close', () => passages.delete(passage));
    if (mode === 'up') passage.release();
  });
  server.listen(0, HOST);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    set(next) {
      mode = next;
      for (const passage of passages) {
        if (next === 'up') passage.release();
        else if (next === 'stalled') passage.hold();
      }
    },
    reset() {
      for (const passage of passages) passage.reset();
    },
    close() {
      for (const passage of passages) passage.reset();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** One connection through a gate: the near side belongs to the device, the far side to the exchange. */
class Passage {
  readonly #near: Socket;
  readonly #target: number;
  /** Opened when data may pass. A connection to a stalled gate does not reach the exchange. */
  #far: Socket | undefined;

  constructor(near: Socket, target: number) {
    this.#near = near;
    this.#target = target;
    near.pause();
  }

  release(): void {
    this.#far ??= this.#reach();
    this.#near.resume();
    this.#far.resume();
  }

  hold(): void {
    this.#near.pause();
    this.#far?.pause();
  }

  reset(): void {
    this.#near.resetAndDestroy();
    this.#far?.resetAndDestroy();
  }

  #reach(): Socket {
    const near = this.#near;
    const far = connect({ port: this.#target, host: HOST, noDelay: true });
    far.on('error', () => undefined);
    near.on('data', (data) => far.write(data));
    far.on('data', (data) => near.write(data));
    near.on('end', () => far.end());
    far.on('end', () => near.end());
    near.once('close', () => far.destroy());
    far.once('close', () => near.destroy());
    return far;
  }
}

function refuse(near: Socket, status: number): void {
  near.once('data', () => near.end(`HTTP/1.1 ${status} Refused\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`));
}
