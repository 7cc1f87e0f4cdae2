import { isLoopback } from './allowed-hosts.ts';

const MIB = 1024 * 1024;

export interface BodyMemoryOptions {
  /** The limit for all bodies that are being received. Bytes, default 64 MiB. */
  readonly most?: number;
  /** The limit for the bodies of one address, loopback excepted. Bytes, default 24 MiB. */
  readonly mostOfOneAddress?: number;
}

/** The memory for request bodies that are being received: limited in total and for each address. */
export class BodyMemory {
  readonly #most: number;
  readonly #mostOfOneAddress: number;
  readonly #byAddress = new Map<string, number>();
  #taken = 0;

  constructor({ most = 64 * MIB, mostOfOneAddress = 24 * MIB }: BodyMemoryOptions = {}) {
    this.#most = most;
    this.#mostOfOneAddress = mostOfOneAddress;
  }

  /** The bytes that are reserved now. */
  get taken(): number {
    return this.#taken;
  }

  /** Reserves memory for bytes from an address. Returns false when a limit is reached. */
  take(address: string, bytes: number): boolean {
    const own = (this.#byAddress.get(address) ?? 0) + bytes;
    if (this.#taken + bytes > this.#most) return false;
    if (own > this.#mostOfOneAddress && !isLoopback(address)) return false;
    this.#taken += bytes;
    this.#byAddress.set(address, own);
    return true;
  }

  /** Releases the memory of a body that was handed on. */
  give(address: string, bytes: number): void {
    const own = (this.#byAddress.get(address) ?? 0) - bytes;
    this.#taken -= bytes;
    if (own > 0) this.#byAddress.set(address, own);
    else this.#byAddress.delete(address);
  }
}
