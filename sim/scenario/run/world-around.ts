import type { Selection } from '../../faults/selection.ts';
import type { Fault } from '../../faults/vocabulary.ts';
import type { Acted, ScenarioWorld } from './world.ts';
import type { FaultEvent, StepEvent, TraceEvent, Untimed } from '../../../src/trace/events.ts';

/** A world that forwards everything to the one inside it: for classes that observe or change a part of a world. */
export class WorldAround implements ScenarioWorld {
  protected readonly world: ScenarioWorld;

  constructor(world: ScenarioWorld) {
    this.world = world;
  }

  get now(): number {
    return this.world.now;
  }

  get moment(): number {
    return this.world.moment;
  }

  get pending(): readonly number[] {
    return this.world.pending ?? [];
  }

  get trace(): readonly TraceEvent[] {
    return this.world.trace;
  }

  tolerance(ms: number): number {
    return this.world.tolerance(ms);
  }

  until(condition: () => boolean, ms: number): Promise<boolean> {
    return this.world.until(condition, ms);
  }

  read(path: string): unknown {
    return this.world.read(path);
  }

  act(actor: string, action: string, parameters: Readonly<Record<string, unknown>>): Acted | Promise<Acted> {
    return this.world.act(actor, action, parameters);
  }

  inject(fault: Fault, selection: Selection, name: string): () => void {
    return this.world.inject(fault, selection, name);
  }

  note(event: Untimed<StepEvent | FaultEvent>): void {
    this.world.note(event);
  }

  close(): Promise<readonly string[]> {
    return this.world.close();
  }
}
