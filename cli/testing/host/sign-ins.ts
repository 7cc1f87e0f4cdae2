/** The sign-ins of the headless devices of a world. */
export class SignIns {
  readonly #present = new Map<string, Promise<void>>();

  /** Returns whether the device is signed in, or is signing in. */
  has(device: string): boolean {
    return this.#present.has(device);
  }

  /** Returns the sign-in of the device. Undefined before it, after a refusal and after a sign-out. */
  of(device: string): Promise<void> | undefined {
    return this.#present.get(device);
  }

  /** Adds a sign-in. One that fails is removed, so that the next action of the user signs in again. */
  add(device: string, signing: Promise<unknown>): Promise<void> {
    const present = signing.then(() => undefined);
    this.#present.set(device, present);
    present.catch(() => {
      if (this.#present.get(device) === present) this.#present.delete(device);
    });
    return present;
  }

  /** Removes the sign-in of a device that signs out. */
  remove(device: string): void {
    this.#present.delete(device);
  }
}
