/** The worlds of one test. Its fixture closes those that the test leaves open. */
import type { LadderFiles } from './kit-messages.ts';
import { openWorld, type World, type WorldOptions } from './world.ts';

export class OwnWorlds {
  readonly #name: string;
  readonly #worlds: World[] = [];

  /** @param name - the name of the test, which its worlds have. */
  constructor(name: string) {
    this.#name = name;
  }

  readonly open = async (options: WorldOptions = {}): Promise<World> => {
    const world = await openWorld({ name: this.#name, ...options });
    this.#worlds.push(world);
    return world;
  };

  /** Returns the ladders of the worlds that are open, for the report of a failed test. */
  ladders(): Promise<readonly LadderFiles[]> {
    return Promise.all(this.#worlds.filter(({ isClosed }) => !isClosed).map((world) => world.ladder()));
  }

  async close(): Promise<void> {
    await Promise.all(this.#worlds.map((world) => world.close()));
  }
}
