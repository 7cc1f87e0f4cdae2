import type { CallPolicy } from '../exchange/policy.ts';

type Decisions = Required<Omit<CallPolicy, 'isOverloaded' | 'explain'>>;

/** The policy of an exchange that exists before its host does. It refuses all, until the host decides. */
export class DeferredPolicy implements Decisions {
  #host: Decisions | null = null;

  /** Leaves all decisions from now on to this host. */
  decideBy(host: Decisions): void {
    this.#host = host;
  }

  readonly mayLogIn: Decisions['mayLogIn'] = (userId, accessToken) =>
    this.#host?.mayLogIn(userId, accessToken) ?? false;

  readonly mayDial: Decisions['mayDial'] = async (dial) => (await this.#host?.mayDial(dial)) ?? false;

  readonly mayInvite: Decisions['mayInvite'] = async (question) => (await this.#host?.mayInvite(question)) ?? false;

  readonly findUser: Decisions['findUser'] = async (userId) => this.#host?.findUser(userId);
}
