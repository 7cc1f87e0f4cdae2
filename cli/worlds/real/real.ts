/** The worlds on the wall clock. Their cases run in scenario hosts. */
import { type CaseResult, lostCase, skippedCase } from '../../../sim/scenario/run/run-scenario.ts';
import type { CaseJob, OpenedWorld, WorldSettings } from '../world.ts';
import { cannotRun } from '../cannot-run.ts';
import { HostLost, HostProcess } from './host-process.ts';

/** The number of cases after which a host is replaced, because the engine leaks memory with each call. */
const CASES_OF_A_HOST = 10;

export const openReal = (settings: WorldSettings): OpenedWorld =>
  new WallClockWorld('real', { ...settings, timeScale: 1 });

export const openScaled = (settings: WorldSettings): OpenedWorld => new WallClockWorld('scaled', settings);

class WallClockWorld implements OpenedWorld {
  readonly #name: 'real' | 'scaled';
  readonly #settings: WorldSettings;
  /** The idle hosts, and the number of cases of each. */
  readonly #idle: { readonly host: HostProcess; readonly had: number }[] = [];

  constructor(name: 'real' | 'scaled', settings: WorldSettings) {
    this.#name = name;
    this.#settings = settings;
  }

  async run({ scenario, one, seed, signal, afterMs = 0 }: CaseJob): Promise<CaseResult> {
    const { timeScale, clock } = this.#settings;
    const longestMs = this.#settings.longestMs * timeScale;
    const why = await cannotRun(this.#name, scenario, one, { longestMs, seed });
    if (why !== undefined) return skippedCase(scenario, one, { seed, why });
    const began = clock.now();
    const { host, had } = this.#host();
    try {
      const assignment = { world: this.#name, scenario, one, seed, timeScale, afterMs };
      const result = await host.run(assignment, signal);
      // After a failure the state of the host is unknown.
      if (result.state === 'passed' && had + 1 < CASES_OF_A_HOST) this.#idle.push({ host, had: had + 1 });
      else host.kill();
      return result;
    } catch (error) {
      if (!(error instanceof HostLost)) throw error;
      return lostCase(scenario, one, { seed, why: error.message, wallMs: clock.now() - began });
    }
  }

  close(): Promise<void> {
    for (const { host } of this.#idle.splice(0)) host.kill();
    return Promise.resolve();
  }

  #host(): { readonly host: HostProcess; readonly had: number } {
    for (let next = this.#idle.pop(); next; next = this.#idle.pop()) if (next.host.isAlive) return next;
    return { host: new HostProcess(this.#settings.clock), had: 0 };
  }
}
