import { isLoopback } from './allowed-hosts.ts';

const MIB = 1024 * 1024;

export interface BodyMemoryOptions {
  /** Bytes of all bodies that are being received. Default 64 MiB. */
  readonly most?: number;
  /** Bytes of those of one address, loopback excepted. Default 24 MiB. */
  readonly mostOfOneAddress?: number;
}

/** The memory for request bodies that are being received: bounded in all, and for each address. */
export class BodyMemory {
  readonly #most: number;
  readonly #mostOfOneAddress: number;
  readonly #byAddress = new Map<string, number>();
  #taken = 0;

  constructor({ most = 64 * MIB, mostOfOneAddress = 24 * MIB }: BodyMemoryOptions = {}) {
    this.#most = most;
    this.#mostOfOneAddress = mostOfOneAddress;
  }

  /** Bytes that are taken. */
  get taken(): number {
    return this.#taken;
  }

  /** Takes memory for bytes that came from an address. False: there is none left. */
  take(address: string, bytes: number): boolean {
    const own = (this.#byAddress.get(address) ?? 0) + bytes;
    if (this.#taken + bytes > this.#most) return false;
    if (own > this.#mostOfOneAddress && !isLoopback(address)) return false;
    this.#taken += bytes;
    this.#byAddress.set(address, own);
    return true;
  }

  /** Gives back what was taken for a body, once it has been handed on. */
  give(address: string, bytes: number): void {
    const own = (this.#byAddress.get(address) ?? 0) - bytes;
    this.#taken -= bytes;
    if (own > 0) this.#byAddress.set(address, own);
    else this.#byAddress.delete(address);
  }
}
