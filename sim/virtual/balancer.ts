/** The balancer before the nodes of an exchange. Devices know one address, and the balancer selects a node. */
import type { Answer } from '../faults/message.ts';
import type {
  ChannelIdentity,
  ExchangeAnswer,
  ExchangeConnection,
  ExchangeDoor,
  ExchangeLink,
  ExchangeRequest,
} from './exchange-door.ts';

/** A node behind a balancer. */
export interface BalancedNode extends ExchangeDoor {
  readonly name: string;
  readonly isDown: boolean;
  /** Whether its readiness probe succeeds. A node that is not ready gets something new only when no node is ready. */
  readonly isReady: boolean;
}

/**
 * Selects a node for each channel and each request. A channel goes to the node with the fewest channels, and of equals
 * to the first by name. Requests go to the nodes in turn, whatever node has the channel of the device. A node that is
 * down gets nothing.
 */
export class Balancer<Node extends BalancedNode> implements ExchangeDoor {
  readonly #nodes: readonly Node[];
  readonly #channels: Map<Node, number>;
  #turn: number;

  /** @param seed - the seed of the world. It selects the node of the first request. */
  constructor(nodes: readonly Node[], seed: number) {
    this.#nodes = nodes.toSorted((one, other) => (one.name < other.name ? -1 : 1));
    this.#channels = new Map(this.#nodes.map((node) => [node, 0]));
    this.#turn = seed;
  }

  get isDown(): boolean {
    return this.#nodes.every(({ isDown }) => isDown);
  }

  /** Returns the number of open channels of a node. */
  channelsOf(node: Node): number {
    return this.#channels.get(node) ?? 0;
  }

  connect(who: ChannelIdentity, link: ExchangeLink): ExchangeAnswer | Promise<ExchangeAnswer> {
    const [node] = this.#usable.toSorted((one, other) => this.channelsOf(one) - this.channelsOf(other));
    if (!node) return { status: 503 };
    this.#count(node, 1);
    const answer = node.connect(who, link);
    return answer instanceof Promise
      ? answer.then((accepted) => this.#counted(node, accepted))
      : this.#counted(node, answer);
  }

  http(request: ExchangeRequest): Promise<Answer> {
    const nodes = this.#usable;
    const node = nodes[this.#turn % nodes.length];
    this.#turn += 1;
    if (!node) return Promise.resolve({ status: 503 });
    if (this.#nodes.length === 1) return node.http(request);
    return node.http(request).then((answer) => ({ ...answer, node: node.name }));
  }

  /** The nodes that are ready. Without one, those that are not down. */
  get #usable(): readonly Node[] {
    const running = this.#nodes.filter(({ isDown }) => !isDown);
    const ready = running.filter(({ isReady }) => isReady);
    return ready.length > 0 ? ready : running;
  }

  #counted(node: Node, answer: ExchangeAnswer): ExchangeAnswer {
    if ('status' in answer) {
      this.#count(node, -1);
      return answer;
    }
    let isOpen = true;
    const counted: ExchangeConnection = {
      ...(this.#nodes.length > 1 ? { node: node.name } : {}),
      receive: (text) => answer.receive(text),
      closed: () => {
        if (isOpen) this.#count(node, -1);
        isOpen = false;
        answer.closed();
      },
    };
    return counted;
  }

  #count(node: Node, change: number): void {
    this.#channels.set(node, this.channelsOf(node) + change);
  }
}
