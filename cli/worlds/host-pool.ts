/** The scenario hosts of a world. Each runs one case at a time, and may have the next one already. */
import type { Clock } from '../../src/common/clock.ts';
import { type CaseResult, lostCase } from '../../sim/scenario/run/run-scenario.ts';
import type { CaseAssignment } from './host-messages.ts';
import { HostLost, HostProcess } from './host-process.ts';

interface HostPoolOptions {
  readonly clock: Clock;
  readonly program: string;
  /** The number of cases after which a host is replaced. Default: never. */
  readonly casesOfHost?: number;
  /** The most hosts. A further case waits in the host with the fewest. Default: a host for each running case. */
  readonly most?: number;
}

interface Seat {
  readonly host: HostProcess;
  /** The number of cases that the host has run. */
  had: number;
}

export class HostPool {
  readonly #options: HostPoolOptions;
  /** The hosts that take cases. */
  readonly #seats = new Set<Seat>();

  constructor(options: HostPoolOptions) {
    this.#options = options;
  }

  /** Runs a case. A host that dies fails the case that it ran. */
  async run(assignment: CaseAssignment, signal: AbortSignal): Promise<CaseResult> {
    const { clock, casesOfHost = Infinity } = this.#options;
    const began = clock.now();
    const seat = this.#take();
    try {
      const result = await seat.host.run(assignment, signal);
      seat.had += 1;
      // After a failure the state of a host with media is unknown.
      const isSound = result.state === 'passed' || assignment.world === 'virtual';
      if (!isSound || seat.had >= casesOfHost) this.#end(seat);
      return result;
    } catch (error) {
      if (!(error instanceof HostLost)) throw error;
      this.#end(seat);
      if (!error.isBegun && !signal.aborted && seat.had > 0) return this.run(assignment, signal);
      const { scenario, one, seed } = assignment;
      return lostCase(scenario, one, { seed, why: error.message, wallMs: clock.now() - began });
    }
  }

  close(): void {
    for (const seat of [...this.#seats]) this.#end(seat);
  }

  #end(seat: Seat): void {
    this.#seats.delete(seat);
    seat.host.kill();
  }

  /** Returns an idle host, else a new one, or the one with the fewest cases when there are enough. */
  #take(): Seat {
    const { clock, program, most = Infinity } = this.#options;
    for (const seat of this.#seats) if (!seat.host.isAlive) this.#seats.delete(seat);
    const [first] = [...this.#seats].toSorted((one, other) => one.host.pending - other.host.pending);
    if (first && (first.host.pending === 0 || this.#seats.size >= most)) return first;
    const seat = { host: new HostProcess(clock, program), had: 0 };
    this.#seats.add(seat);
    return seat;
  }
}
