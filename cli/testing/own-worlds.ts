import type { LadderFiles } from './kit-messages.ts';
import { openWorld, type World, type WorldOptions } from './world.ts';

/** The worlds of one test. Its fixture closes those that the test leaves open. */
export class OwnWorlds {
  readonly #name: string;
  /** A test that is over may have left a world that is still opening. */
  readonly #opening: Promise<World>[] = [];
  readonly #worlds: World[] = [];

  /** @param name - the name of the test, which its worlds have. */
  constructor(name: string) {
    this.#name = name;
  }

  /** Opens a world. @throws WorldError for a name that no user can have. */
  readonly open = async (options: WorldOptions = {}): Promise<World> => {
    const opening = openWorld({ name: this.#name, ...options });
    this.#opening.push(opening);
    const world = await opening;
    this.#worlds.push(world);
    return world;
  };

  /** Returns the ladders of the worlds that are open, for the report of a failed test. */
  ladders(): Promise<readonly LadderFiles[]> {
    return Promise.all(this.#worlds.filter(({ isClosed }) => !isClosed).map((world) => world.ladder()));
  }

  /** Closes the worlds, also those that are still opening. */
  async close(): Promise<void> {
    const closed = async (opening: Promise<World>) => {
      const world = await opening.catch(() => undefined);
      await world?.close();
    };
    await Promise.all(this.#opening.map(closed));
  }
}
