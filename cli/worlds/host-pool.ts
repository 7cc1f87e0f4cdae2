/** The scenario hosts of a world. Each runs one case at a time. */
import type { Clock } from '../../src/common/clock.ts';
import { type CaseResult, lostCase } from '../../sim/scenario/run/run-scenario.ts';
import type { CaseAssignment } from './host-messages.ts';
import { HostLost, HostProcess } from './host-process.ts';

interface HostPoolOptions {
  readonly clock: Clock;
  readonly program: string;
  /** The number of cases after which a host is replaced. Default: never. */
  readonly casesOfHost?: number;
}

export class HostPool {
  readonly #options: HostPoolOptions;
  /** The idle hosts, and the number of cases of each. */
  readonly #idle: { readonly host: HostProcess; readonly had: number }[] = [];

  constructor(options: HostPoolOptions) {
    this.#options = options;
  }

  /** Runs a case in an idle host, or in a new one. A host that dies fails its case. */
  async run(assignment: CaseAssignment, signal: AbortSignal): Promise<CaseResult> {
    const { clock, casesOfHost = Infinity } = this.#options;
    const began = clock.now();
    const { host, had } = this.#take();
    try {
      const result = await host.run(assignment, signal);
      // After a failure the state of a host with media is unknown.
      const isSound = result.state === 'passed' || assignment.world === 'virtual';
      if (isSound && had + 1 < casesOfHost) this.#idle.push({ host, had: had + 1 });
      else host.kill();
      return result;
    } catch (error) {
      if (!(error instanceof HostLost)) throw error;
      const { scenario, one, seed } = assignment;
      return lostCase(scenario, one, { seed, why: error.message, wallMs: clock.now() - began });
    }
  }

  close(): void {
    for (const { host } of this.#idle.splice(0)) host.kill();
  }

  #take(): { readonly host: HostProcess; readonly had: number } {
    for (let next = this.#idle.pop(); next; next = this.#idle.pop()) if (next.host.isAlive) return next;
    const { clock, program } = this.#options;
    return { host: new HostProcess(clock, program), had: 0 };
  }
}
