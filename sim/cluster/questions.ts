import type { Clock, Timer } from '../../src/common/clock.ts';

/** The longest time that a node waits for an answer. Milliseconds. */
const ANSWER_MS = 4_000;
/** The times after which a question is repeated, since the bus may lose it. Milliseconds. */
const AGAIN_MS = [500, 1_500];
/** The most questions that wait for an answer. */
const WAITING = 20_000;

/** A node that did not answer, or refused to. */
export class NodeSilent extends Error {
  override readonly name = 'NodeSilent';
}

interface Waiting {
  readonly node: string;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Error) => void;
  timer: Timer | null;
}

/** The questions of a node that wait for the answers of other nodes. */
export class Questions {
  readonly #clock: Clock;
  readonly #waiting = new Map<number, Waiting>();
  #asked = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Asks a node. Rejects with NodeSilent when it does not answer in time, answers with a failure, or dies.
   *
   * @param send - sends the question with this id, and again after a while.
   */
  ask(node: string, send: (id: number) => void): Promise<unknown> {
    if (this.#waiting.size >= WAITING) return Promise.reject(new NodeSilent('too many questions wait for answers'));
    const id = (this.#asked += 1);
    return new Promise((resolve, reject) => {
      const waiting: Waiting = { node, resolve, reject, timer: null };
      this.#waiting.set(id, waiting);
      this.#wait(id, waiting, AGAIN_MS, 0, send);
      send(id);
    });
  }

  answered(id: number, isDone: boolean, body: unknown): void {
    const waiting = this.#take(id);
    if (isDone) waiting?.resolve(body);
    else waiting?.reject(new NodeSilent(`the node ${waiting.node} failed to answer`));
  }

  /** Ends the questions to a node that has died. */
  died(node: string): void {
    for (const [id, waiting] of this.#waiting) {
      if (waiting.node === node) this.#take(id)?.reject(new NodeSilent(`the node ${node} has died`));
    }
  }

  dispose(): void {
    for (const id of [...this.#waiting.keys()]) this.#take(id)?.reject(new NodeSilent('this node stops'));
  }

  #wait(id: number, waiting: Waiting, [next, ...later]: readonly number[], passed: number, send: (id: number) => void) {
    waiting.timer = this.#clock.after((next ?? ANSWER_MS) - passed, () => {
      if (next === undefined) {
        this.#take(id)?.reject(new NodeSilent(`the node ${waiting.node} does not answer`));
        return;
      }
      this.#wait(id, waiting, later, next, send);
      send(id);
    });
  }

  #take(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    waiting?.timer?.cancel();
    this.#waiting.delete(id);
    return waiting;
  }
}
